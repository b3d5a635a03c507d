import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OwnerId } from '../domain/ids.js'
import { ann, bob, entryDraft, kept } from '../testing/activity-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { historyStoreContract } from './history-store-contract.js'
import { lapseContract } from './lapse-contract.js'
import { ownerErasureContract } from './owner-erasure-contract.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('activity_store')
})
afterAll(() => fixture?.close())

const open = () => fixture.reset()

historyStoreContract('history in Postgres', open)
lapseContract('a lapse in Postgres', open)
ownerErasureContract('erased owners in Postgres', open)

it('a burst of one owner waits in a queue, and uses up no sessions', async () => {
  const { history, pool } = await open()
  const record = (owner: OwnerId) =>
    history.record(entryDraft({ ownerId: owner }), { plan: 'free', version: 0 }, kept, null)
  await record(ann)
  const holder = await pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM owner WHERE owner.owner_id = $1 FOR UPDATE', [ann])
  const burst = Promise.all(Array.from({ length: 30 }, () => record(ann)))
  // Longer than anyone waits for a session.
  await sleep(1_200)
  expect((await record(bob)).state).toBe('recorded')
  await holder.query('COMMIT')
  holder.release()
  await burst
  expect(await history.count(ann)).toBe(20)
})
