import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import type { ApiClient, ApiResponse } from '../harness/api-client.js'
import { makeKey } from '../harness/api-keys.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const gateways = [0, 1, 2]

/** Rotates a key, and retries a 503, as clients do: a machine may be too busy to connect to its database in time. */
async function rotatePatiently(owner: ApiClient, id: string): Promise<ApiResponse> {
  const response = await owner.post(`/api/keys/${id}/rotate`, {})
  return response.status === 503 ? rotatePatiently(owner, id) : response
}

/**
 * Rotates a key in use at three gateways, and returns how long past its end the old secret worked at most.
 */
async function workedBeyondEnd(system: TestSystem, name: string, overlapSeconds: number): Promise<number> {
  const owner = await system.user(name, 'pro')
  const { id, key } = await makeKey(system, owner)
  const read = async (secret: string, gateway: number) =>
    (await system.withKey(secret, gateway).get('/api/snippets?limit=1')).status
  for (const gateway of gateways) expect(await read(key, gateway)).toBe(200)
  const rotated = await owner.post(`/api/keys/${id}/rotate`, { overlap_seconds: overlapSeconds })
  const next = rotated.json<{ key: string }>().key
  let last = 0
  const work = gateways.map(async (gateway) => {
    for (;;) {
      const sentAt = Date.now()
      const status = await read(key, gateway)
      if (status === 401) return
      expect(status).toBe(200)
      last = Math.max(last, sentAt)
      await sleep(5)
    }
  })
  expect(await read(next, 0)).toBe(200)
  const shown = (await owner.get(`/api/keys/${id}`)).json<{ previous: { expires_at: string } }>()
  await Promise.all(work)
  for (const gateway of gateways) {
    expect(await read(key, gateway)).toBe(401)
    expect(await read(next, gateway)).toBe(200)
  }
  return last - Date.parse(shown.previous.expires_at)
}

describeWithOwnRedis('three gateways with Redis', () => {
  let redis: RedisServer
  let system: TestSystem
  beforeAll(async () => {
    redis = await startRedisServer()
    system = await startSystem({ gateways: 3, identities: 2, env: { REDIS_URL: redis.url } })
  })
  afterAll(async () => {
    await system?.stop()
    await redis?.stop()
  })

  it.each([1, 5])(
    'an old secret stops working within a second of its end, after an overlap of %i s',
    async (overlap) => {
      expect(await workedBeyondEnd(system, `owner ${overlap}`, overlap)).toBeLessThan(1_000)
    },
  )

  it('a hundred parallel rotations over all of them leave two working secrets', async () => {
    const owners = await Promise.all(gateways.map((gateway) => system.user('crowd', 'pro', gateway)))
    const [first] = owners
    if (first === undefined) throw new Error('no gateway')
    const { id, key } = await makeKey(system, first)
    const rotations = await Promise.all(
      Array.from({ length: 100 }, (_, n) => rotatePatiently(owners[n % 3] ?? first, id)),
    )
    expect(new Set(rotations.map(({ status }) => status))).toEqual(new Set([201]))
    const secrets = [key, ...rotations.map((one) => one.json<{ key: string }>().key)]
    let alive = 0
    // At most as many per client as the lookup limit allows.
    for (const secret of secrets) {
      const { status } = await system.withKey(secret).get('/api/snippets?limit=1')
      if (status === 200) alive += 1
    }
    expect(alive).toBeLessThanOrEqual(2)
    expect((await system.withKey(key).get('/api/snippets?limit=1')).status).toBe(200)
  })
})

describe('three gateways without Redis', () => {
  let system: TestSystem
  beforeAll(async () => {
    system = await startSystem({ gateways: 3 })
  })
  afterAll(() => system?.stop())

  it('an old secret stops working within a second of its end, after an overlap of five seconds', async () => {
    expect(await workedBeyondEnd(system, 'owner', 5)).toBeLessThan(1_000)
  })

  it('an old secret stops working within five seconds of its end, after an overlap shorter than the cache', async () => {
    expect(await workedBeyondEnd(system, 'hasty', 1)).toBeLessThan(5_000)
  })
})
