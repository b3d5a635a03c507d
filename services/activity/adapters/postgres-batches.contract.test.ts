import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lapseGraceMs } from '../domain/stored-plan.js'
import { ann, entryDraft, entryFilter, kept, manyAtOnce, never } from '../testing/activity-fixture.js'
import { openPostgresFixture, type PostgresFixture } from '../testing/postgres-fixture.js'

const many = 12_000

/** Entries of the last seconds, one per millisecond; every third has another tool. */
const fill = `
  INSERT INTO entry (owner_id, id, tool, created_at)
  SELECT '${ann}', 'old' || n, CASE n % 3 WHEN 0 THEN 'json' ELSE 'csv' END,
    date_trunc('milliseconds', now()) - n * interval '1 millisecond'
  FROM generate_series(1, ${many}) AS n;
  INSERT INTO owner (owner_id, plan, plan_version, entry_count, newest_at)
  SELECT '${ann}', 'pro', 1, count(*), max(entry.created_at) FROM entry`

let fixture: PostgresFixture
beforeAll(async () => {
  fixture = await openPostgresFixture('activity_batches')
})
beforeEach(async () => {
  await fixture.reset()
  await fixture.pool.query(fill)
})
afterAll(() => fixture?.close())

const record = () => fixture.another().record(entryDraft(), { plan: 'pro', version: 1 }, kept, null)
const listed = async () => (await fixture.history.list(entryFilter({ itemsMax: many * 2 }))).items.length

describe('more history than one transaction deletes', () => {
  it('is deleted completely, and concurrent records are counted correctly', async () => {
    const [removed] = await Promise.all([fixture.history.removeAll(ann, null), manyAtOnce(100, record)])
    expect(removed).toBeGreaterThanOrEqual(many)
    expect(await listed()).toBe(many + 100 - removed)
    expect(await fixture.history.count(ann)).toBe(many + 100 - removed)
  })

  it('is deleted by two workers without being counted twice', async () => {
    const removed = await Promise.all([
      fixture.history.removeAll(ann, null),
      fixture.another().removeAll(ann, 'json'),
    ])
    expect(removed[0] + removed[1]).toBe(many)
    expect([await listed(), await fixture.history.count(ann)]).toEqual([0, 0])
  })

  it('is purged down to the newest by two workers, and the rest is still due after a crash', async () => {
    await fixture.history.notePlan(ann, { plan: 'free', version: 2 })
    await fixture.passTime(lapseGraceMs + 1_000)
    const stopped = new AbortController()
    const first = fixture.history.purgeLapsed(20, stopped.signal)
    stopped.abort()
    const removed = await first
    expect(removed).toBe(5_000)
    expect(await fixture.history.count(ann)).toBe(many - removed)
    const rest = await Promise.all([
      fixture.history.purgeLapsed(20, never),
      fixture.another().purgeLapsed(20, never),
    ])
    expect(removed + rest[0] + rest[1]).toBe(many - 20)
    expect([await listed(), await fixture.history.count(ann)]).toEqual([20, 20])
  })
})
