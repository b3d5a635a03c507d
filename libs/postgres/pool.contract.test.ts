import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createMigratedSchema, type MigratedSchema } from '../testing/migrated-schema.js'
import { startRelay } from '../testing/relay.js'
import { copyColumn } from './copy/copy-column.js'
import { type Pool, query } from './pool.js'
import { transaction } from './transaction.js'

let schema: MigratedSchema
beforeAll(async () => {
  schema = await createMigratedSchema('silent', [])
})
afterAll(() => schema.close())

/** One session that may be silent for 800 ms. */
const openPool = (url = inject('databaseUrl')): Pool =>
  schema.openPool({ url, connectionsMax: 1, statementTimeoutMs: 300 })

const backend = { text: 'SELECT pg_backend_pid() AS pid' }
const pidOf = async (pool: Pool): Promise<unknown> => (await query(pool, backend)).rows[0]?.pid

it.each([
  ['a statement', (pool: Pool) => query(pool, backend)],
  ['a transaction', (pool: Pool) => transaction(pool, (tx) => tx.query(backend))],
  ['a COPY', (pool: Pool) => copyColumn(pool, "SELECT 'x'::bytea")],
])(
  '%s without a response is reported as unavailable, and the next one has a session that responds',
  async (_what, run) => {
    const url = new URL(inject('databaseUrl'))
    const relay = await startRelay(Number(url.port))
    url.port = String(relay.port)
    const pool = openPool(url.href)
    const before = await pidOf(pool)
    relay.silence()
    const startedAt = performance.now()
    await expect(run(pool)).rejects.toMatchObject({ kind: 'unavailable', cause: { code: 'ETIMEDOUT' } })
    expect(performance.now() - startedAt).toBeGreaterThan(500)
    expect(await pidOf(pool)).not.toBe(before)
    relay.close()
  },
)

it('an idle session does not time out, nor between statements of a transaction', async () => {
  const pool = openPool()
  const pid = await pidOf(pool)
  await sleep(1_500)
  const inside = await transaction(pool, async (tx) => {
    await tx.query('SELECT 1')
    await sleep(1_500)
    return tx.query(backend)
  })
  expect(inside.rows).toEqual([{ pid }])
  expect(await pidOf(pool)).toBe(pid)
})

it('a statement sent just as its idle session’s timer fires has the full timeout', async () => {
  const pool = openPool()
  const client = await pool.connect()
  try {
    client.connection.stream.emit('timeout')
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  } finally {
    client.release()
  }
})

it('a response that arrived while this process was blocked counts', async () => {
  const pool = openPool()
  const pid = await pidOf(pool)
  const response = pidOf(pool)
  await sleep(0)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
  expect(await response).toBe(pid)
})

it('an error of a statement includes its caller', async () => {
  const wrong = transaction(openPool(), (tx) => tx.query('SELECT nonsense'))
  const error: unknown = await wrong.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: '42703', stack: expect.stringContaining('transaction') })
})

it.each([
  ['a statement', (pool: Pool, text: string) => query(pool, { text })],
  ['a transaction', (pool: Pool, text: string) => transaction(pool, (tx) => tx.query(text))],
])('results of %s are freed by young-generation collections', async (_what, run) => {
  setFlagsFromString('--expose-gc')
  const collectYoung: (how: object) => void = runInNewContext('gc')
  const pool = openPool()
  const heapDuring = async (statements: number): Promise<number> => {
    let most = 0
    for (let n = 0; n < statements; n += 1) {
      await run(pool, "SELECT repeat('x', 100) || n AS text FROM generate_series(1, 500) AS n")
      if (n % 10 > 0) continue
      collectYoung({ type: 'minor' })
      most = Math.max(most, process.memoryUsage().heapUsed)
    }
    return most
  }
  const before = await heapDuring(20)
  // These results are 40 MB in total.
  expect((await heapDuring(400)) - before).toBeLessThan(4_000_000)
})
