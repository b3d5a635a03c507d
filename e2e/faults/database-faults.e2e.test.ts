import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeOnLinux } from '#libs/testing/describe-on-linux.js'
import type { ApiClient } from '../harness/api-client.js'
import { iterations } from '../harness/iterations.js'
import { type Outcome, quantileMs, report, startLoad } from '../harness/load.js'
import { type OwnPostgres, startOwnPostgres } from '../harness/own-postgres.js'
import { startSystem, type TestSystem } from '../harness/system.js'

let postgres: OwnPostgres
let system: TestSystem
let ann: ApiClient
let shareId: string
let snippetId: string

/** Large enough to be sent in chunks and stored as a document. */
const large = { tool: 'json', title: 'large', data: { text: 'y'.repeat(300_000) } }
const body = (title: string) => ({ tool: 'json', title, data: { text: title.repeat(20) } })

beforeAll(async () => {
  postgres = await startOwnPostgres({ max_connections: '60' })
  system = await startSystem({ serverUrl: postgres.url })
  ann = await system.user('ann', 'pro')
  snippetId = (await ann.post('/api/snippets', body('first'))).json<{ id: string }>().id
  shareId = (await ann.post('/api/shares', body('shared'))).json<{ id: string }>().id
})
afterAll(async () => {
  postgres?.thaw()
  await system?.stop()
  await postgres?.remove()
})

/** Every title whose creation was acknowledged. */
function requests(kept: Map<string, string>) {
  let made = 0
  return {
    save: async () => {
      made += 1
      const title = `saved ${made} ${Math.random()}`
      const response = await ann.post('/api/snippets', body(title))
      if (response.status === 201) kept.set(response.json<{ id: string }>().id, title)
      return response.status
    },
    read: async () => (await ann.get(`/api/snippets/${snippetId}`)).status,
    list: async () => (await ann.get('/api/snippets?limit=5')).status,
    share: async () => (await system.anyone().get(`/api/shares/${shareId}`)).status,
    record: async () => (await ann.post('/api/history', { tool: 'json', action: 'format' })).status,
    large: async () => (await ann.post('/api/shares', large)).status,
  }
}

/** Node's error when the connection broke without a response. The gateway never breaks one. */
const withoutResponse = (outcomes: readonly Outcome[]) => outcomes.filter(({ status }) => status === 0)

const expected = new Set([200, 201, 503, 504])
const pids = (): readonly number[] =>
  [...system.gateways, ...system.contents, ...system.identities, ...system.activities].map(({ pid }) => pid)

describe('Postgres stopped immediately and restarted, repeatedly under load', () => {
  it('loses nothing acknowledged, and serves again within five seconds of its return', async () => {
    const before = pids()
    const kept = new Map<string, string>()
    const load = startLoad(100, requests(kept))
    const returns: number[] = []
    for (let round = 0; round < iterations(4, 10); round += 1) {
      await sleep(500)
      await postgres.stopImmediately()
      await sleep(300)
      await postgres.start()
      const back = performance.now()
      while ((await ann.post('/api/snippets', body(`after ${round}`))).status !== 201) await sleep(20)
      returns.push(performance.now() - back)
    }
    const outcomes = await load.stop()
    report(
      `${outcomes.length} requests; first save after each return in ms: ${returns.map(Math.round).join(' ')}`,
      outcomes,
    )
    expect(withoutResponse(outcomes)).toEqual([])
    expect(outcomes.filter(({ status }) => !expected.has(status))).toEqual([])
    expect(Math.max(...returns)).toBeLessThan(5_000)
    expect(kept.size).toBeGreaterThan(20)
    for (const [id, title] of kept) {
      const found = await ann.get(`/api/snippets/${id}`)
      expect(found.json()).toMatchObject(body(title))
    }
    expect(pids()).toEqual(before)
    for (const pid of before) expect(() => process.kill(pid, 0)).not.toThrow()
  })
})

describeOnLinux('Postgres that hangs', () => {
  it('responds to every request within five seconds, and recovers within ten of its return', async () => {
    const load = startLoad(30, requests(new Map()))
    await sleep(1_000)
    postgres.freeze()
    const frozenAt = performance.now()
    await sleep(iterations(8_000, 60_000))
    const frozenFor = performance.now() - frozenAt
    const outcomes = await load.stop()
    postgres.thaw()
    const back = performance.now()
    const inside = outcomes.filter(({ startedAt }) => startedAt > 1_000)
    report(
      `frozen for ${Math.round(frozenFor)} ms, ${inside.length} requests: slowest ${Math.round(quantileMs(inside, 1))} ms, median ${Math.round(quantileMs(inside, 0.5))} ms`,
      inside,
    )
    expect(outcomes.filter(({ status }) => !expected.has(status))).toEqual([])
    expect(quantileMs(outcomes, 1)).toBeLessThan(5_500)
    expect(inside.filter(({ name, status }) => name === 'save' && status === 201).length).toBeLessThan(5)

    let well = 0
    while (well < 20) well = (await ann.get(`/api/snippets/${snippetId}`)).status === 200 ? well + 1 : 0
    expect(performance.now() - back).toBeLessThan(10_000)
    const db = new pg.Client({ connectionString: system.databaseUrl })
    await db.connect()
    const { rows } = await db.query<{ stuck: number }>(
      `SELECT count(*)::int AS stuck FROM pg_stat_activity
       WHERE application_name LIKE 'snipkeep-%' AND state <> 'idle' AND state_change < now() - interval '10 seconds'`,
    )
    await db.end()
    expect(rows).toEqual([{ stuck: 0 }])
  })
})

describe('Postgres impaired', () => {
  async function withClient<T>(work: (db: pg.Client) => Promise<T>): Promise<T> {
    const db = new pg.Client({ connectionString: system.databaseUrl })
    await db.connect()
    try {
      return await work(db)
    } finally {
      await db.end()
    }
  }

  it('by a lock: affected requests get 503 soon, and nothing is left running', async () => {
    await withClient(async (db) => {
      await db.query('BEGIN; LOCK TABLE content.snippet IN ACCESS EXCLUSIVE MODE')
      const load = startLoad(40, {
        read: async () => (await ann.get(`/api/snippets/${snippetId}`)).status,
        keys: async () => (await ann.get('/api/keys')).status,
        health: async () => (await ann.get('/healthz')).status,
      })
      const given = Array.from({ length: 100 }, () =>
        ann.request('GET', `/api/snippets/${snippetId}`, { signal: AbortSignal.timeout(300) }).then(
          ({ status }) => status,
          () => 'given up',
        ),
      )
      await sleep(3_000)
      const outcomes = await load.stop()
      await Promise.all(given)
      report(`locked for 3 s: slowest ${Math.round(quantileMs(outcomes, 1))} ms`, outcomes)
      const failed = outcomes.filter(({ status }) => status !== 200)
      expect(failed.length).toBeGreaterThan(10)
      expect(failed.filter(({ name, status }) => name !== 'read' || status !== 503)).toEqual([])
      expect(quantileMs(outcomes, 1)).toBeLessThan(6_000)
      // A transaction sees a fixed snapshot of the activity, so each check uses a new session.
      const waiting = () =>
        withClient(async (other) => {
          const { rows } = await other.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
             WHERE application_name LIKE 'snipkeep-%' AND state = 'active'`,
          )
          return rows[0]?.waiting
        })
      await expect.poll(waiting, { timeout: 3_000 }).toBe(0)
      await db.query('ROLLBACK')
    })
    expect((await ann.get(`/api/snippets/${snippetId}`)).status).toBe(200)
  })

  it('by being read-only: writes get 503, and reads go on', async () => {
    const setReadOnly = (value: string) =>
      withClient(async (db) => {
        await db.query('SET default_transaction_read_only = off')
        await db.query(
          `ALTER DATABASE ${pg.escapeIdentifier(new URL(system.databaseUrl).pathname.slice(1))} SET default_transaction_read_only = ${value}`,
        )
        await db.query(
          `SELECT pg_terminate_backend(pg_stat_activity.pid) FROM pg_stat_activity WHERE application_name LIKE 'snipkeep-%'`,
        )
      })
    const saved = async () => (await ann.post('/api/snippets', body('probe'))).status
    const read = async () => (await ann.get(`/api/snippets/${snippetId}`)).status
    await setReadOnly('on')
    await expect.poll(saved).toBe(503)
    await expect.poll(read).toBe(200)
    const statuses: Record<string, number[]> = { read: [], save: [], share: [], record: [], large: [] }
    for (let round = 0; round < 10; round += 1) {
      for (const [name, request] of Object.entries(requests(new Map()))) statuses[name]?.push(await request())
    }
    await setReadOnly('off')
    await expect.poll(saved).toBe(201)
    expect(new Set(statuses.read)).toEqual(new Set([200]))
    expect(new Set(statuses.share)).toEqual(new Set([200]))
    expect(new Set(statuses.save)).toEqual(new Set([503]))
    expect(new Set(statuses.record)).toEqual(new Set([503]))
    expect(new Set(statuses.large)).toEqual(new Set([503]))
    expect((await ann.post('/api/snippets', body('writable again'))).status).toBe(201)
  })

  it('by a full disk: writes get 503, and reads go on', async () => {
    // Simulates Postgres's error, because filling the disk for real would affect everything else.
    await withClient((db) =>
      db.query(`
        CREATE FUNCTION content.disk_is_full() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER disk_is_full BEFORE INSERT ON content.snippet EXECUTE FUNCTION content.disk_is_full()`),
    )
    const full = await ann.post('/api/snippets', body('no room'))
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await ann.get(`/api/snippets/${snippetId}`)).status).toBe(200)
    await withClient((db) => db.query('DROP FUNCTION content.disk_is_full CASCADE'))
    expect((await ann.post('/api/snippets', body('room again'))).status).toBe(201)
  })

  it('by exhausted connections: 503, never 500, and recovery once there is one', async () => {
    const taken: pg.Client[] = []
    await withClient((db) =>
      db.query(
        `SELECT pg_terminate_backend(pg_stat_activity.pid) FROM pg_stat_activity WHERE application_name LIKE 'snipkeep-%'`,
      ),
    )
    for (;;) {
      const client = new pg.Client({ connectionString: system.databaseUrl })
      client.on('error', () => {})
      try {
        await client.connect()
        taken.push(client)
      } catch {
        break
      }
    }
    const found: number[] = []
    for (let round = 0; round < 5; round += 1) {
      for (const request of Object.values(requests(new Map()))) found.push(await request())
    }
    await Promise.all(taken.map((client) => client.end()))
    expect(found.filter((status) => status !== 503 && status !== 200 && status !== 201)).toEqual([])
    expect(found).toContain(503)
    await expect.poll(async () => (await ann.post('/api/snippets', body('room again'))).status).toBe(201)
  })
})
