import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithRedis } from '#libs/testing/describe-with-redis.js'
import type { ApiResponse } from '../harness/api-client.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const snippet = { tool: 'csv', title: 'Limits', data: { v: 1 } }

function count(responses: readonly ApiResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length
}

describeWithRedis('three gateways and one Redis', (redisUrl) => {
  let system: TestSystem

  beforeAll(async () => {
    system = await startSystem({
      gateways: 3,
      env: {
        RATE_LIMIT_STRICT: '5/60',
        RATE_LIMIT_STANDARD: '300/60',
        TRUSTED_PROXIES: '127.0.0.0/8',
        REDIS_URL: redisUrl,
      },
    })
  })
  afterAll(() => system?.stop())

  it('admit exactly five of a thousand create requests from one address', async () => {
    const clients = await Promise.all([0, 1, 2].map((gateway) => system.user('racer', 'free', gateway)))
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        (clients[n % 3] ?? system.anyone()).post('/api/shares', snippet, {
          'X-Forwarded-For': '203.0.113.1',
        }),
      ),
    )
    expect([count(responses, 201), count(responses, 429)]).toEqual([5, 995])
  })

  it('let one address make exactly 20 accounts, and those who have one sign in', async () => {
    const address = { 'X-Forwarded-For': '203.0.113.4' }
    const names = Array.from({ length: 60 }, (_, n) => `newcomer ${n}`)
    const signIn = async (name: string, n: number) =>
      (await system.user(name, 'free', n % 3)).get('/api/snippets', address)
    const responses = await Promise.all(names.map(signIn))
    expect([count(responses, 200), count(responses, 429)]).toEqual([20, 40])
    const known = names.filter((_name, n) => responses[n]?.status === 200)
    const again = await Promise.all(known.map((name, n) => signIn(name, n + 1)))
    expect(count(again, 200)).toBe(20)
  })

  it('give each user 300 requests over all of them, of which a gateway may hold 32 back for a second', async () => {
    for (const [name, address] of [
      ['one', '203.0.113.2'],
      ['other', '203.0.113.3'],
    ] as const) {
      const clients = await Promise.all([0, 1, 2].map((gateway) => system.user(name, 'free', gateway)))
      // Parallel reads of one snippet are coalesced; as many lists would run out of database sessions.
      const saved = await clients[0]?.post('/api/snippets', snippet, { 'X-Forwarded-For': address })
      const path = `/api/snippets/${saved?.json<{ id: string }>().id}`
      const read = (n: number) => (clients[n % 3] ?? system.anyone()).get(path)
      const responses = await Promise.all(Array.from({ length: 450 }, (_, n) => read(n)))
      let admitted = count(responses, 200)
      expect(admitted + count(responses, 429)).toBe(450)
      expect(admitted).toBeGreaterThanOrEqual(300 - 3 * 32)
      for (let n = 0; admitted < 300; n += 1) admitted += count([await read(n)], 200)
      const more = await Promise.all(Array.from({ length: 90 }, (_, n) => read(n)))
      expect([admitted, count(more, 429)]).toEqual([300, 90])
    }
  })
})
