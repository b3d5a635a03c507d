import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

let system: SystemInProcess

beforeAll(async () => {
  // With Redis, gateways learn of a plan change immediately.
  const redisUrl = inject('redisUrl')
  system = await startSystem({ gateways: 2, env: redisUrl === null ? {} : { REDIS_URL: redisUrl } })
})
afterAll(() => system?.stop())

const snippet = { tool: 'csv', title: 'Team', data: { csv: 'name\nAda\n' } }

interface KeyResponse {
  readonly id: string
  readonly key: string
  readonly prefix: string
  readonly scopes: readonly string[]
  readonly last4: string
}

describe('an API key', () => {
  it('saves and fetches for its owner, who created it with an identity token', async () => {
    const owner = await system.user('maker', 'pro')
    const made = await owner.post('/api/keys', { name: 'CI', scopes: ['write', 'read'], expires_in: 3_600 })
    expect(made.status).toBe(201)
    const key = made.json<KeyResponse>()
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
      current: {
        ...{ prefix: key.key.slice(0, 8), last4: key.key.slice(-4), last_used_at: null, expires_at: null },
        created_at: expect.stringMatching(/Z$/),
      },
      previous: null,
      key: expect.stringMatching(/^snk_[0-9A-Za-z]{40}$/),
    })
    expect(made.headers.get('location')).toBe(`${system.baseUrl()}/api/keys/${key.id}`)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { key: secret, ...shown } = key
    expect((await owner.get('/api/keys')).json()).toEqual({ keys: [shown] })
    const program = system.withKey(key.key)
    const saved = await program.post('/api/snippets', snippet)
    expect(saved.status).toBe(201)
    const raw = `/api/snippets/${saved.json<{ id: string }>().id}/raw?pointer=/csv`
    expect((await program.get(raw)).text).toBe('name\nAda\n')
    expect((await owner.get(raw)).text).toBe('name\nAda\n')
    const profiles = await Promise.all([program, owner].map((one) => one.get('/api/auth/profile')))
    expect(profiles[0]?.json()).toEqual(profiles[1]?.json())
    expect(profiles[0]?.json()).toMatchObject({ usage: { api_keys: 1 }, limits: { api_keys: 5 } })
    expect((await owner.get(`/api/keys/${key.id}`)).text).not.toContain(secret.slice(8, -4))
  })

  it('is returned again for the same Idempotency-Key, and created once', async () => {
    const owner = await system.user('repeater', 'pro')
    const send = (name = 'CI') => owner.post('/api/keys', { name }, { 'Idempotency-Key': 'deploy 1' })
    const responses = await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect((await owner.get('/api/keys')).json<{ keys: unknown[] }>().keys).toHaveLength(1)
    expect(await send('other')).toMatchObject({ status: 409 })
  })

  it('may approve only if that is asked for, and then nothing else', async () => {
    const owner = await system.user('approver', 'pro')
    const make = async (fields: object) =>
      (await owner.post('/api/keys', { name: 'CI', ...fields })).json<KeyResponse>()
    expect((await make({})).scopes).toEqual(['read', 'write'])
    const { key, scopes } = await make({ scopes: ['approve'] })
    expect(scopes).toEqual(['approve'])
    const response = await system.withKey(key).get('/api/snippets')
    expect(response.status).toBe(403)
    expect(response.json()).toMatchObject({ code: 'insufficient_scope', scope: 'read' })
  })

  it('is refused on Free, and invalid requests are explained', async () => {
    const free = await system.user('free')
    expect(await free.post('/api/keys', { name: 'CI' })).toMatchObject({ status: 403 })
    expect((await free.post('/api/keys', 'not even read')).json().code).toBe('pro_required')
    expect((await free.get('/api/keys')).json()).toEqual({ keys: [] })
    const pro = await system.user('requester', 'pro')
    const invalid: [object, string][] = [
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
    for (const [fields, pointer] of invalid) {
      const response = await pro.post('/api/keys', fields)
      expect(response.status, JSON.stringify(fields)).toBe(400)
      expect(response.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).toBe(pointer)
    }
    expect((await pro.get('/api/keys')).json()).toEqual({ keys: [] })
  })

  it('is disabled when its owner loses Pro, can be deleted then, and works again after an upgrade', async () => {
    const owner = await system.user('sleeper', 'pro')
    const { client, id } = await makeKey(system, owner)
    const other = await makeKey(system, owner)
    expect((await client.get('/api/snippets')).status).toBe(200)
    await system.setPlan('sleeper', 'free')
    const became = (status: number) =>
      within(5_100, status, async () => (await client.get('/api/snippets')).status)
    await became(403)
    expect((await client.get('/api/snippets')).json().code).toBe('pro_required')
    expect((await owner.delete(`/api/keys/${other.id}`)).status).toBe(200)
    await system.setPlan('sleeper', 'pro')
    await became(200)
    expect((await owner.get(`/api/keys/${id}`)).status).toBe(200)
  })

  it('is not accepted in the URL, in a cookie or beside a token', async () => {
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

  it('is counted by day, errors included, within ten seconds', async () => {
    const owner = await system.user('counter', 'pro')
    const { client, id, key } = await makeKey(system, owner)
    for (let n = 0; n < 7; n += 1) await client.get('/api/snippets')
    for (let n = 0; n < 3; n += 1) await system.withKey(key, 1).get('/api/snippets/unknown')
    expect((await client.post('/api/keys', { name: 'more' })).status).toBe(403)
    const usage = async () =>
      (await owner.get(`/api/keys/${id}/usage`)).json<{ total: number; days: object[] }>()
    await expect.poll(async () => (await usage()).total).toBe(11)
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

  it('a thousand keys with a wrong checksum cause no lookup', async () => {
    const before = system.keyLookups()
    const bad = (): string => {
      const key = newApiKey()
      const last = key.at(-1) === 'A' ? 'B' : 'A'
      return `${key.slice(0, -1)}${last}`
    }
    const worker = async (): Promise<void> => {
      for (let n = 0; n < 63; n += 1) {
        const response = await system.withKey(bad(), n % 2).get('/api/snippets')
        expect([response.status, response.json().code]).toEqual([401, 'invalid_api_key'])
      }
    }
    await Promise.all(Array.from({ length: 16 }, worker))
    expect(system.keyLookups()).toBe(before)
  })
})
