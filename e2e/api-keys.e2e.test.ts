import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import { makeKey } from './harness/api-keys.js'
import { effort } from './harness/effort.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  system = await startSystem({ gateways: 2, identities: 2, gatewayEnv: { OIDC_STARTUP_WAIT_MS: '1000' } })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

const snippet = { tool: 'csv', title: 'Team', data: { csv: 'name\nAda\n' } }

interface KeyAnswer {
  readonly id: string
  readonly key: string
  readonly prefix: string
  readonly last4: string
}

describe('an API key', () => {
  it('saves and fetches for its owner, who made it with an identity token', async () => {
    const owner = await system.user('maker', 'pro')
    const made = await owner.post('/api/keys', { name: 'CI', scopes: ['write', 'read'], expires_in: 3_600 })
    expect(made.status).toBe(201)
    const key = made.json<KeyAnswer>()
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      name: 'CI',
      prefix: key.key.slice(0, 8),
      last4: key.key.slice(-4),
      scopes: ['read', 'write'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expires_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      request_count: 0,
      key: expect.stringMatching(/^snk_[0-9A-Za-z]{40}$/),
    })
    expect(made.headers.get('location')).toBe(`${system.baseUrl()}/api/keys/${key.id}`)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const program = system.withKey(key.key)
    const saved = await program.post('/api/snippets', snippet)
    expect(saved.status).toBe(201)
    const raw = `/api/snippets/${saved.json<{ id: string }>().id}/raw?pointer=/csv`
    expect((await program.get(raw)).text).toBe('name\nAda\n')
    expect((await owner.get(raw)).text).toBe('name\nAda\n')
    const profiles = await Promise.all([program, owner].map((one) => one.get('/api/auth/profile')))
    expect(profiles[0]?.json()).toEqual(profiles[1]?.json())
    expect(profiles[0]?.json()).toMatchObject({ usage: { api_keys: 1 }, limits: { api_keys: 5 } })
    const { key: secret, ...shown } = key
    expect((await owner.get('/api/keys')).json()).toEqual({ keys: [shown] })
    expect((await owner.get(`/api/keys/${key.id}`)).text).not.toContain(secret.slice(8, -4))
  })

  it('is shown again for the same Idempotency-Key, and made once', async () => {
    const owner = await system.user('repeater', 'pro')
    const send = (name = 'CI') => owner.post('/api/keys', { name }, { 'Idempotency-Key': 'deploy 1' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect((await owner.get('/api/keys')).json<{ keys: unknown[] }>().keys).toHaveLength(1)
    expect(await send('other')).toMatchObject({ status: 409 })
    const { rows } = await db.query('SELECT sealed FROM identity.idempotency_key')
    const { key } = answers[0]?.json<KeyAnswer>() ?? { key: '?' }
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain(key)
  })

  it('is refused to Free, and what is wrong with a wish is told', async () => {
    const free = await system.user('free')
    expect(await free.post('/api/keys', { name: 'CI' })).toMatchObject({ status: 403 })
    expect((await free.post('/api/keys', 'not even read')).json().code).toBe('pro_required')
    expect((await free.get('/api/keys')).json()).toEqual({ keys: [] })
    const pro = await system.user('wisher', 'pro')
    const wishes: [object, string][] = [
      [{}, '/name'],
      [{ name: '' }, '/name'],
      [{ name: 'x'.repeat(101) }, '/name'],
      [{ name: 'CI', scopes: [] }, '/scopes'],
      [{ name: 'CI', scopes: ['admin'] }, '/scopes/0'],
      [{ name: 'CI', expires_in: 59 }, '/expires_in'],
      [{ name: 'CI', expires_in: 1e12 }, '/expires_in'],
      [{ name: 'CI', expires_in: '3600' }, '/expires_in'],
      [{ name: 'CI', key: 'mine' }, '/key'],
    ]
    for (const [wish, pointer] of wishes) {
      const answer = await pro.post('/api/keys', wish)
      expect(answer.status, JSON.stringify(wish)).toBe(400)
      expect(answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).toBe(pointer)
    }
    expect((await pro.get('/api/keys')).json()).toEqual({ keys: [] })
  })

  it('goes to sleep when its owner loses Pro, can be deleted then, and wakes up with the next upgrade', async () => {
    const owner = await system.user('sleeper', 'pro')
    const { client, id } = await makeKey(system, owner)
    const other = await makeKey(system, owner)
    expect((await client.get('/api/snippets')).status).toBe(200)
    await system.setPlan('sleeper', 'free')
    const became = async (status: number): Promise<void> => {
      await expect
        .poll(async () => (await client.get('/api/snippets')).status, { timeout: 5_500, interval: 100 })
        .toBe(status)
    }
    await became(403)
    expect((await client.get('/api/snippets')).json().code).toBe('pro_required')
    expect((await owner.delete(`/api/keys/${other.id}`)).status).toBe(200)
    await system.setPlan('sleeper', 'pro')
    await became(200)
    expect((await owner.get(`/api/keys/${id}`)).status).toBe(200)
  })

  it('never travels in the address, a cookie or beside a token', async () => {
    const owner = await system.user('mover', 'pro')
    const { key, client } = await makeKey(system, owner)
    const anyone = system.anyone()
    expect((await anyone.get(`/api/snippets?api_key=${key}&X-API-Key=${key}`)).status).toBe(401)
    expect((await anyone.get('/api/snippets', { Cookie: `X-API-Key=${key}` })).status).toBe(401)
    expect((await anyone.get('/api/snippets', { Authorization: `Bearer ${key}` })).status).toBe(401)
    const both = await owner.get('/api/snippets', { 'X-API-Key': key })
    expect([both.status, both.json().code]).toEqual([401, 'ambiguous_credentials'])
    expect((await client.get('/api/snippets')).status).toBe(200)
  })

  it('is counted by day, its errors too, seen within ten seconds', async () => {
    const owner = await system.user('counter', 'pro')
    const { client, id, key } = await makeKey(system, owner)
    for (let n = 0; n < 7; n += 1) await client.get('/api/snippets')
    for (let n = 0; n < 3; n += 1) await system.withKey(key, 1).get('/api/snippets/unknown')
    expect((await client.post('/api/keys', { name: 'more' })).status).toBe(403)
    const usage = async () =>
      (await owner.get(`/api/keys/${id}/usage`)).json<{ total: number; days: object[] }>()
    await expect.poll(async () => (await usage()).total, { timeout: 10_000, interval: 200 }).toBe(11)
    const { days } = await usage()
    const today = new Date().toISOString().slice(0, 10)
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toEqual({ date: today, requests: 11, errors: 4 })
    expect(days[0]).toMatchObject({ requests: 0, errors: 0 })
    expect((await owner.get(`/api/keys/${id}`)).json()).toMatchObject({
      request_count: 11,
      last_used_at: expect.stringMatching(`^${today}`),
    })
    const ask = (query: string) => owner.get(`/api/keys/${id}/usage?${query}`)
    expect((await ask('from=2030-01-01&to=2030-01-03')).json()).toMatchObject({ total: 0 })
    expect((await ask(`from=${today}&to=${today}`)).json()).toMatchObject({ total: 11 })
    for (const bad of [
      'from=yesterday',
      'from=2030-02-30',
      'from=2030-01-02&to=2030-01-01',
      'from=2000-01-01',
    ]) {
      expect((await ask(bad)).status, bad).toBe(400)
    }
  })

  it('hands its counts over when the gateway stops, each batch once', async () => {
    const owner = await system.user('stopper', 'pro')
    const { id, key } = await makeKey(system, owner)
    const client = system.withKey(key, 1)
    for (let n = 0; n < 25; n += 1) await client.get('/api/snippets')
    const gateway = system.gateways[1]
    expect(await gateway?.terminate()).toBe(0)
    expect((await owner.get(`/api/keys/${id}`)).json()).toMatchObject({ request_count: 25 })
    await gateway?.restart()
    await expect
      .poll(async () => (await fetch(`${system.baseUrl(1)}/readyz`).catch(() => null))?.status, {
        timeout: 20_000,
      })
      .toBe(200)
  })
})

describe('a gateway that starts while the issuer is away', () => {
  it('serves API keys and shares meanwhile, and identity tokens once the issuer is back', async () => {
    const owner = await system.user('early', 'pro', 1)
    const { key } = await makeKey(system, owner)
    const { id } = (await owner.post('/api/shares', snippet)).json<{ id: string }>()
    const readiness = async () => {
      const response = await system.anyone(1).get('/readyz')
      return {
        status: response.status,
        issuers: response.json<{ checks: { issuers: string } }>().checks.issuers,
      }
    }
    system.issuer.away = true
    await system.gateways[1]?.terminate()
    await system.gateways[1]?.restart()
    await expect.poll(readiness, { timeout: 20_000 }).toEqual({ status: 200, issuers: 'unreachable' })
    expect((await system.withKey(key, 1).post('/api/snippets', snippet)).status).toBe(201)
    expect((await system.anyone(1).get(`/api/shares/${id}`)).status).toBe(200)
    expect((await system.anyone(1).get(`/s/${id}`)).status).toBe(200)
    expect(await owner.get('/api/snippets')).toMatchObject({ status: 503 })

    system.issuer.away = false
    await expect.poll(readiness, { timeout: 40_000 }).toEqual({ status: 200, issuers: 'ok' })
    expect((await owner.get('/api/snippets')).status).toBe(200)
  })
})

describe('limits and secrets of API keys', () => {
  it('fifty creates at once over two gateways and two identities leave five keys, round after round', async () => {
    for (let round = 0; round < effort(20, 200); round += 1) {
      const name = `racer ${round}`
      const clients = [await system.user(name, 'pro', 0), await system.user(name, 'pro', 1)]
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          (clients[n % 2] ?? system.anyone()).post('/api/keys', { name: 'k' }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 201)).toHaveLength(5)
      expect(statuses.filter((status) => status === 409)).toHaveLength(45)
      const refused = answers.find(({ status }) => status === 409)
      expect(refused?.json()).toMatchObject({ code: 'api_key_limit_reached', limit: 5 })
      expect((await clients[0]?.get('/api/keys'))?.json<{ keys: unknown[] }>().keys).toHaveLength(5)
    }
  })

  it('ten thousand keys with a wrong checksum cause no query', { timeout: 120_000 }, async () => {
    // Looks into tables, which autovacuum is not counted for; by the whole database, and by identity.
    const figures = async (): Promise<{ all: number; identity: number }> => {
      const { rows } = await db.query<{ all: string; identity: string }>(
        `SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) AS all,
                sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))
                  FILTER (WHERE schemaname = 'identity' AND relname IN ('account', 'api_key')) AS identity
         FROM pg_stat_user_tables`,
      )
      return { all: Number(rows[0]?.all), identity: Number(rows[0]?.identity) }
    }
    // An idle session of Postgres hands its figures in after ten seconds; the use of keys is told within five.
    await sleep(16_000)
    const before = await figures()
    const bad = (): string => {
      const key = newApiKey()
      const last = key.at(-1) === 'A' ? 'B' : 'A'
      return `${key.slice(0, -1)}${last}`
    }
    const worker = async (): Promise<void> => {
      for (let n = 0; n < 625; n += 1) {
        const answer = await system.withKey(bad(), n % 2).get('/api/snippets')
        expect([answer.status, answer.json().code]).toEqual([401, 'invalid_api_key'])
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    await sleep(11_000)
    const after = await figures()
    expect(after.identity - before.identity).toBe(0)
    // The periodic tasks of the services are all that there may be.
    expect(after.all - before.all).toBeLessThan(60)
  })

  it('a dump of the database after a thousand creations holds no key', async () => {
    const keys: string[] = []
    for (let round = 0; round < 200; round += 1) {
      const owner = await system.user(`dumped ${round}`, 'pro')
      const made = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          owner.post('/api/keys', { name: `key ${n}` }, n === 0 ? { 'Idempotency-Key': 'first' } : {}),
        ),
      )
      keys.push(...made.map((answer) => answer.json<KeyAnswer>().key))
    }
    expect(new Set(keys).size).toBe(1_000)
    const { rows: tables } = await db.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await db.query(`SELECT to_jsonb(t)::text AS row FROM ${name} AS t`)
      dump += rows.map(({ row }) => row).join('\n')
    }
    expect(dump.length).toBeGreaterThan(100_000)
    for (const key of keys) {
      const secret = key.slice(8, -4)
      expect(dump.includes(secret)).toBe(false)
      expect(dump.includes(Buffer.from(secret).toString('hex'))).toBe(false)
    }
    const logs = [...system.gateways, ...system.identities].map((one) => one.output()).join('')
    for (const key of keys) expect(logs.includes(key.slice(8, -4))).toBe(false)
  })
})
