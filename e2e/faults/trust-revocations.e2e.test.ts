import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import type { ApiClient } from '../harness/api-client.js'
import { exchangeToken, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from '../harness/ci-issuer.js'
import { iterations } from '../harness/iterations.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const gateways = [0, 1, 2]
const claims = { repository_id: '74', repository_owner_id: '65' }
const rule = { name: 'CI', issuer: 'github', repository: 'acme/website', claims }

let github: FakeCiIssuer
let redis: RedisServer
let systems: Readonly<Record<'with Redis' | 'without Redis', TestSystem>>

/** Reads at every gateway until each refuses; returns when the last successful request was sent. */
async function lastServed(clients: readonly ApiClient[]): Promise<number> {
  const times = await Promise.all(
    clients.map(async (client) => {
      for (let last = 0; ; await sleep(5)) {
        const at = performance.now()
        const { status } = await client.get('/api/snippets?limit=1')
        if (status === 401) return last
        expect(status).toBe(200)
        last = at
      }
    }),
  )
  return Math.max(...times)
}

describeWithOwnRedis('three gateways with a token of a CI job hot in each', () => {
  beforeAll(async () => {
    github = await startFakeCiIssuer(githubClaims, 'github')
    redis = await startRedisServer()
    const env = { CI_ISSUERS: `github=github+${github.url}` }
    const [withRedis, withoutRedis] = await Promise.all([
      startSystem({ gateways: 3, env: { ...env, REDIS_URL: redis.url } }),
      startSystem({ gateways: 3, env }),
    ])
    systems = { 'with Redis': withRedis, 'without Redis': withoutRedis }
  })
  afterAll(async () => {
    await Promise.all(Object.values(systems ?? {}).map((system) => system.stop()))
    await redis?.stop()
    await github?.stop()
  })

  it.each(['with Redis', 'without Redis'] as const)(
    'no token of a deleted rule works anywhere a second after the response, %s',
    async (how) => {
      const system = systems[how]
      let slowest = 0
      for (let round = 0; round < iterations(10, 200); round += 1) {
        const owner = await system.user('owner', 'pro', round % 3)
        const { id } = (await owner.post('/api/trusted-publishers', rule)).json<{ id: string }>()
        const token = await github.token(system.baseUrl())
        const exchanged = await exchangeToken(system.anyone(round % 3), id, token)
        const { access_token: key } = exchanged.json<{ access_token: string }>()
        const clients = gateways.map((gateway) => system.withKey(key, gateway))
        for (const client of clients) expect((await client.get('/api/snippets?limit=1')).status).toBe(200)
        const served = lastServed(clients)
        expect((await owner.delete(`/api/trusted-publishers/${id}`)).status).toBe(200)
        const deletedAt = performance.now()
        expect((await clients[round % 3]?.get('/api/snippets?limit=1'))?.status).toBe(401)
        slowest = Math.max(slowest, (await served) - deletedAt)
      }
      process.stdout.write(`${how} the slowest deletion was effective ${slowest.toFixed(1)} ms after it\n`)
      expect(slowest).toBeLessThan(1_000)
    },
  )

  it('an assertion sent in thirty parallel requests to three gateways yields one token', async () => {
    const system = systems['with Redis']
    const owner = await system.user('replayed', 'pro')
    const { id } = (await owner.post('/api/trusted-publishers', rule)).json<{ id: string }>()
    for (let round = 0; round < iterations(10, 200); round += 1) {
      const token = await github.token(system.baseUrl())
      const tries = Array.from({ length: 30 }, (_none, n) => exchangeToken(system.anyone(n % 3), id, token))
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 400)).toHaveLength(29)
    }
  })
})
