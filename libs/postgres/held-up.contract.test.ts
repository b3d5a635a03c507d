import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '../testing/migrated-schema.js'
import { query } from './pool.js'
import { transaction } from './transaction.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('held_up', [])
})
afterAll(() => schema.close())

/** Blocks the whole process, as if its machine were suspended: nothing is read meanwhile. */
function blockProcess(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

it.each([
  ['before it read that', async () => blockProcess(200)],
  ['after it read that', () => sleep(200)],
])(
  'a transaction that the server ended because the process was blocked is unavailable, %s',
  async (_when, wait) => {
    const pool = schema.openPool()
    const held = transaction(pool, async (tx) => {
      await tx.query('SET idle_in_transaction_session_timeout = 20')
      await wait()
      await tx.query('SELECT 1')
    })
    await expect(held).rejects.toMatchObject({ kind: 'unavailable', details: { retry_after: 1 } })
    expect((await query(pool, { text: 'SELECT 1 AS one' })).rows).toEqual([{ one: 1 }])
  },
)
