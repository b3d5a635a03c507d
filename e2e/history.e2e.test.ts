import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HistoryEntry, listAllHistory, recordEntry } from './harness/history.js'
import { startSystem, type TestSystem } from './harness/system.js'
import { within } from './harness/within.js'

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  system = await startSystem({
    gateways: 2,
    activities: 2,
    activityEnv: { INTERNAL_ACTIVITY_PURGE_INTERVAL_MS: '200' },
  })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

describe('the plan', () => {
  it('500 parallel records of a Free user leave exactly the newest 20, over two gateways and two services', async () => {
    const clients = [await system.user('burst', 'free', 0), await system.user('burst', 'free', 1)]
    const recorded: HistoryEntry[] = []
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        recorded.push(await recordEntry(clients[index % 2] ?? system.anyone(), { title: `n${index}` }))
      }),
    )
    const newest = recorded
      .toSorted((a, b) =>
        a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1,
      )
      .slice(0, 20)
    const kept = await listAllHistory(clients[0] ?? system.anyone())
    expect(kept.map(({ id }) => id)).toEqual(newest.map(({ id }) => id))
    const { rows } = await db.query<{ entries: number; counted: number }>(
      `SELECT (SELECT count(*)::int FROM activity.entry WHERE entry.owner_id = owner.owner_id) AS entries,
              owner.entry_count::int AS counted
       FROM activity.owner WHERE owner.owner_id = (
         SELECT entry.owner_id FROM activity.entry WHERE entry.id = $1)`,
      [newest[0]?.id],
    )
    expect(rows).toEqual([{ entries: 20, counted: 20 }])
  })

  it('a downgrade hides older entries, an upgrade restores them, and after 30 days they are deleted', async () => {
    const user = await system.user('lapsing', 'pro')
    const entries: HistoryEntry[] = []
    for (let n = 0; n < 30; n += 1) entries.unshift(await recordEntry(user, { title: `n${n}` }))
    const visible = async () => (await listAllHistory(user)).map(({ id }) => id)
    const becomes = (count: number) => within(5_100, count, async () => (await visible()).length)
    await system.setPlan('lapsing', 'free')
    await becomes(20)
    expect(await visible()).toEqual(entries.slice(0, 20).map(({ id }) => id))
    expect((await user.get(`/api/history/${entries[25]?.id}`)).status).toBe(404)
    expect((await user.get('/api/auth/profile')).json()).toMatchObject({ usage: { history: 20 } })
    const later = await recordEntry(user)
    expect((await visible())[0]).toBe(later.id)
    await system.setPlan('lapsing', 'pro')
    await becomes(31)
    await system.setPlan('lapsing', 'free')
    await becomes(20)
    // Simulates thirty days, and kills a process meanwhile.
    await system.activities[0]?.kill()
    await db.query(
      "UPDATE activity.owner SET lapsed_at = lapsed_at - interval '30 days' WHERE lapsed_at IS NOT NULL",
    )
    await system.activities[0]?.restart()
    const left = async () => {
      const { rows } = await db.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM activity.entry WHERE entry.id = ANY ($1)',
        [[later, ...entries].map(({ id }) => id)],
      )
      return rows[0]?.n
    }
    await expect.poll(left).toBe(20)
    await system.setPlan('lapsing', 'pro')
    await becomes(20)
  })
})
