import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import type { ApiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

let system: SystemInProcess

beforeAll(async () => {
  // With Redis, gateways learn immediately that a secret ends.
  const redisUrl = inject('redisUrl')
  const env = { RATE_LIMIT_FAIR_USE: 'off', ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }) }
  system = await startSystem({ gateways: 2, env })
})
afterAll(() => system?.stop())

interface Rotated {
  readonly id: string
  readonly key: string
  readonly current: { readonly prefix: string; readonly last_used_at: string | null }
  readonly previous: {
    readonly prefix: string
    readonly expires_at: string | null
    readonly last_used_at: string | null
  } | null
}

async function rotate(owner: ApiClient, id: string, fields: object = {}): Promise<Rotated> {
  const response = await owner.post(`/api/keys/${id}/rotate`, fields)
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store'])
  return response.json<Rotated>()
}

const statusOf = async (client: ApiClient) => (await client.get('/api/snippets?limit=1')).status
const refused = (client: ApiClient) => within(5_100, 401, () => statusOf(client))

it('a rotated key keeps its id, name, scopes and counts, and shows which of its secrets is used', async () => {
  const owner = await system.user('rotator', 'pro')
  const made = await makeKey(system, owner, { name: 'CI', scopes: ['read'] })
  const rotated = await rotate(owner, made.id)
  expect(rotated).toMatchObject({
    id: made.id,
    name: 'CI',
    scopes: ['read'],
    prefix: rotated.key.slice(0, 8),
  })
  expect(rotated.previous).toMatchObject({ prefix: made.key.slice(0, 8), expires_at: null })
  expect(await statusOf(made.client)).toBe(200)
  expect(await statusOf(system.withKey(rotated.key, 1))).toBe(200)
  const shown = async () => (await owner.get(`/api/keys/${made.id}`)).json<Rotated>()
  await expect.poll(async () => (await shown()).previous?.last_used_at).toEqual(expect.any(String))
  await expect.poll(async () => (await shown()).current.last_used_at).toEqual(expect.any(String))
  const now = await shown()
  expect(Date.parse(now.previous?.expires_at ?? '')).toBeGreaterThan(Date.now() + 86_000_000)
  expect(now).toMatchObject({ request_count: 2 })
  expect((await owner.get('/api/keys')).text).not.toContain(rotated.key.slice(8, -4))
  expect((await owner.get('/api/auth/profile')).json()).toMatchObject({ usage: { api_keys: 1 } })
  expect((await owner.post(`/api/keys/${made.id}/rotate`, {})).json().code).toBe('rotation_in_progress')
})

it('twenty clients switch during the overlap, and none is ever rejected', async () => {
  const owner = await system.user('fleet', 'pro')
  const { id, key } = await makeKey(system, owner)
  let next: string | null = null
  const statuses = new Set<number>()
  const changed = new Set<number>()
  const clients = Array.from({ length: 20 }, async (_, n) => {
    // Each switches at its own time after the rotation.
    for (let after = 0; after < n + 3; ) {
      statuses.add(await statusOf(system.withKey(next !== null && after > n ? next : key, n % 2)))
      if (next === null) continue
      after += 1
      if (after > n) changed.add(n)
    }
  })
  const rotated = await rotate(owner, id)
  next = rotated.key
  await Promise.all(clients)
  expect([...statuses]).toEqual([200])
  expect(changed.size).toBe(20)
})

it('the previous secret ends immediately on request, and the new one keeps working', async () => {
  const owner = await system.user('finisher', 'pro')
  const { id, key, client } = await makeKey(system, owner)
  expect((await owner.delete(`/api/keys/${id}/previous`)).status).toBe(404)
  const rotated = await rotate(owner, id)
  expect(await statusOf(client)).toBe(200)
  expect(await statusOf(system.withKey(key, 1))).toBe(200)
  const ended = await owner.delete(`/api/keys/${id}/previous`)
  expect([ended.status, ended.json()]).toEqual([200, { id, deleted: true }])
  expect(await statusOf(client)).toBe(401)
  await refused(system.withKey(key, 1))
  expect(await statusOf(system.withKey(rotated.key))).toBe(200)
  const replaced = await rotate(owner, id, { begins: 'now', overlap_seconds: 0 })
  expect(replaced.previous).toBeNull()
  expect(await statusOf(system.withKey(rotated.key))).toBe(401)
  expect(await statusOf(system.withKey(replaced.key))).toBe(200)
})

it('a repeated rotation returns the same secret, and invalid requests are explained', async () => {
  const owner = await system.user('repeater', 'pro')
  const { id } = await makeKey(system, owner)
  const path = `/api/keys/${id}/rotate`
  const header = { 'Idempotency-Key': 'rotation 1' }
  const responses = await Promise.all(Array.from({ length: 10 }, () => owner.post(path, {}, header)))
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  expect(await owner.post(path, { overlap_seconds: 5 }, header)).toMatchObject({ status: 409 })
  expect(await owner.post('/api/keys', { name: 'x' }, header)).toMatchObject({ status: 409 })
  const invalid: [object, string][] = [
    [{ overlap_seconds: -1 }, '/overlap_seconds'],
    [{ overlap_seconds: 604_801 }, '/overlap_seconds'],
    [{ overlap_seconds: 1.5 }, '/overlap_seconds'],
    [{ begins: 'later' }, '/begins'],
    [{ overlap: 5 }, '/overlap'],
  ]
  for (const [fields, pointer] of invalid) {
    const response = await owner.post(path, fields)
    expect(response.status, JSON.stringify(fields)).toBe(400)
    expect(response.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer).toBe(pointer)
  }
  expect((await owner.post('/api/keys/unknown/rotate', {})).status).toBe(404)
  await system.setPlan('repeater', 'free')
  await expect.poll(async () => (await owner.post(path, {})).json().code).toBe('pro_required')
})

it('any holder of a key may revoke it, and learns nothing from the response', async () => {
  const owner = await system.user('leaker', 'pro')
  const { id, key, client } = await makeKey(system, owner)
  const anyone = system.anyone()
  const revoke = (held: unknown) => anyone.post('/api/keys/revoke', { key: held })
  expect(await statusOf(client)).toBe(200)
  const rotated = await rotate(owner, id)
  expect(await statusOf(system.withKey(rotated.key))).toBe(200)
  const responses = [await revoke(key), await revoke(newApiKey()), await revoke('no key')]
  expect(responses.map(({ status, text }) => [status, text])).toEqual(
    responses.map(() => [200, '{"accepted":true}']),
  )
  expect(await statusOf(client)).toBe(401)
  expect(await statusOf(system.withKey(rotated.key))).toBe(200)
  expect((await revoke(rotated.key)).status).toBe(200)
  expect(await statusOf(system.withKey(rotated.key))).toBe(401)
  expect((await owner.get(`/api/keys/${id}`)).status).toBe(404)
  expect((await revoke(5)).status).toBe(400)
})
