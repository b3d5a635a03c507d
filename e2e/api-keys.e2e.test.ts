import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { startSystem, type TestSystem } from './harness/system.js'

let system: TestSystem
let db: pg.Client

beforeAll(async () => {
  system = await startSystem({ gateways: 2, gatewayEnv: { INTERNAL_OIDC_STARTUP_WAIT_MS: '1000' } })
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

const snippet = { tool: 'csv', title: 'Team', data: { csv: 'name\nAda\n' } }

interface KeyResponse {
  readonly key: string
}

describe('an API key', () => {
  it('flushes its counts when the gateway stops, each batch once', async () => {
    const owner = await system.user('stopper', 'pro')
    const { id, key } = await makeKey(system, owner)
    const client = system.withKey(key, 1)
    for (let n = 0; n < 25; n += 1) await client.get('/api/snippets')
    const gateway = system.gateways[1]
    expect(await gateway?.terminate()).toBe(0)
    expect((await owner.get(`/api/keys/${id}`)).json()).toMatchObject({ request_count: 25 })
    await gateway?.restart()
    await expect
      .poll(async () => (await fetch(`${system.baseUrl(1)}/readyz`).catch(() => null))?.status)
      .toBe(200)
  })
})

describe('a gateway that starts without its issuer', () => {
  it('serves API keys and shares, and identity tokens once the issuer is back', async () => {
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
    await expect.poll(readiness).toEqual({ status: 200, issuers: 'unreachable' })
    expect((await system.withKey(key, 1).post('/api/snippets', snippet)).status).toBe(201)
    expect((await system.anyone(1).get(`/api/shares/${id}`)).status).toBe(200)
    expect((await system.anyone(1).get(`/s/${id}`)).status).toBe(200)
    expect(await owner.get('/api/snippets')).toMatchObject({ status: 503 })

    system.issuer.away = false
    await expect.poll(readiness).toEqual({ status: 200, issuers: 'ok' })
    expect((await owner.get('/api/snippets')).status).toBe(200)
  })
})

describe('secrets of API keys', () => {
  it('a database dump after a thousand creates contains no key', async () => {
    const keys: string[] = []
    for (let round = 0; round < 200; round += 1) {
      const owner = await system.user(`dumped ${round}`, 'pro')
      const made = await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          owner.post('/api/keys', { name: `key ${n}` }, n === 0 ? { 'Idempotency-Key': 'first' } : {}),
        ),
      )
      keys.push(...made.map((response) => response.json<KeyResponse>().key))
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
