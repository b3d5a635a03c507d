import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownerId } from '../domain/ids.js'
import { shareDraft } from '../testing/content-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'
import { postgresEventOutbox } from './postgres-event-outbox.js'

let fixture: PostgresFixture

beforeAll(async () => {
  fixture = await openPostgresFixture('content_outbox')
})
afterAll(() => fixture?.close())

const shares = 300
const leaseMs = 60

it('events of 300 shares all reach identity although workers die before and after recording them', async () => {
  const recorded = new Map<string, number>()
  let left = true
  let turn = 0
  const worker = async (): Promise<void> => {
    const outbox = postgresEventOutbox(fixture.openPool({}))
    for (let idle = 0; left || idle < 3; ) {
      const events = await outbox.claim(10, leaseMs)
      idle = events.length === 0 ? idle + 1 : 0
      if (events.length === 0) {
        await sleep(leaseMs)
        continue
      }
      turn += 1
      // Dies before the call, dies after it, is postponed, or succeeds.
      if (turn % 7 === 0) continue
      for (const { id } of events) recorded.set(id, (recorded.get(id) ?? 0) + 1)
      if (turn % 7 === 1) continue
      await (turn % 7 === 2 ? outbox.postpone(events) : outbox.finish(events))
    }
  }
  const workers = Array.from({ length: 6 }, () => worker())
  const made = await Promise.all(
    Array.from({ length: shares }, (_none, n) =>
      fixture.ports.shares.add(shareDraft(fixture, { ownerId: ownerId(`o${n % 9}`) }), () => null, null),
    ),
  )
  const remaining = async (): Promise<number> => {
    const { rows } = await fixture.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event_delivery')
    return rows[0]?.n ?? -1
  }
  await expect.poll(remaining, { timeout: 60_000, interval: 50 }).toBe(0)
  left = false
  await Promise.all(workers)
  expect([...recorded.keys()].toSorted()).toEqual(made.map(({ id }) => `${id}-created`).toSorted())
  expect([...recorded.values()].some((times) => times > 1)).toBe(true)
})
