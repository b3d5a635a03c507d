import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSystem, type TestSystem } from './harness/system.js'

const fiveMinutes = 300_000
let system: TestSystem
let db: pg.Client

/** Two content processes, one five minutes ahead and one five minutes behind. */
beforeAll(async () => {
  const clock = `--import=${pathToFileURL(resolve('e2e/harness/shifted-clock.mjs'))}`
  const shifts = [fiveMinutes, -fiveMinutes]
  system = await startSystem({
    gateways: 2,
    contents: 2,
    contentEnv: (index) => ({ NODE_OPTIONS: clock, CLOCK_SHIFT_MS: String(shifts[index]) }),
  })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

it('only the database’s clock decides when a share expires', async () => {
  const ids: string[] = []
  for (const gateway of [0, 1, 0, 1]) {
    const client = await system.user('clock', 'free', gateway)
    const before = Date.now()
    const response = await client.post('/api/shares', {
      tool: 'a',
      title: 'Soon',
      data: { secret: 1 },
      expires_in: 60,
    })
    expect(response.status).toBe(201)
    const { id, created_at, expires_at } = response.json<{
      id: string
      created_at: string
      expires_at: string
    }>()
    expect(Math.abs(Date.parse(created_at) - before)).toBeLessThan(60_000)
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(60_000)
    ids.push(id)
  }
  const liveMs = 4_000
  await system.expireShares(ids, liveMs)
  const reads = async () =>
    Promise.all(
      [0, 1, 0, 1].flatMap((gateway) => ids.map((id) => system.anyone(gateway).get(`/api/shares/${id}`))),
    )
  expect(new Set((await reads()).map(({ status }) => status))).toEqual(new Set([200]))
  await sleep(liveMs + 100)
  for (const { status, text } of await reads()) {
    expect(status).toBe(410)
    expect(text).not.toContain('secret')
  }
})

it('just before its expiry a share is live, and afterwards it is not', async () => {
  const client = await system.user('edge', 'free')
  for (const [offset, expected] of [
    ["- interval '1 millisecond'", 410],
    ["+ interval '5 seconds'", 200],
    ["+ interval '0'", 410],
  ] as const) {
    const { id } = (await client.post('/api/shares', { tool: 'a', title: 'Edge', data: {} })).json<{
      id: string
    }>()
    await db.query(`UPDATE content.share SET expires_at = clock_timestamp() ${offset} WHERE share.id = $1`, [
      id,
    ])
    expect((await system.anyone().get(`/api/shares/${id}`)).status, offset).toBe(expected)
  }
})
