import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import { type ApiClient, apiClient } from '../harness/api-client.js'
import { makeKey } from '../harness/api-keys.js'
import { iterations } from '../harness/iterations.js'
import { makeShare } from '../harness/make-share.js'
import { readEverywhere } from '../harness/read-everywhere.js'
import { startSystem, type TestSystem } from '../harness/system.js'

const gateways = [0, 1, 2]
const why = { reason: 'a test' }

let redis: RedisServer
let system: TestSystem

async function operatorAt(gateway: number): Promise<ApiClient> {
  const token = await system.issuer.token('op', { groups: ['operators'] })
  return apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` })
}

describeWithOwnRedis('an operator of three gateways', () => {
  beforeAll(async () => {
    redis = await startRedisServer()
    system = await startSystem({
      gateways: 3,
      contents: 2,
      identities: 2,
      // Acts are in billing, too.
      payments: {},
      env: { REDIS_URL: redis.url, OPERATOR_CLAIM: 'groups:operators' },
    })
  })
  afterAll(async () => {
    await system?.stop()
    await redis?.stop()
  })

  it('suspends an account within a second everywhere, with its tokens, keys, shares and pages', async () => {
    const owner = await system.user('suspended', 'pro')
    const [{ key }, share] = [await makeKey(system, owner), await makeShare(owner, {})]
    const id = (await owner.get('/api/auth/profile')).json<{ id: string }>().id
    const callers = [
      ...gateways.map((gateway) => system.withKey(key, gateway)),
      ...(await Promise.all(gateways.map((gateway) => system.user('suspended', 'pro', gateway)))),
    ]
    const readers = gateways.map((gateway) => system.anyone(gateway))
    for (let round = 0; round < iterations(5, 100); round += 1) {
      const uses = [
        readEverywhere(callers),
        readEverywhere(readers, `/api/shares/${share.id}`),
        readEverywhere(readers, `/s/${share.id}`),
      ]
      const operator = await operatorAt(round % 3)
      expect((await operator.post(`/api/operator/accounts/${id}/suspend`, why)).status).toBe(200)
      const endedAt = performance.now()
      for (const use of uses) {
        await use.stopRefused()
        expect(use.lastAfter(endedAt), `round ${round}`).toBeLessThan(1_000)
      }
      expect((await operator.post(`/api/operator/accounts/${id}/resume`, why)).status).toBe(200)
      const statuses = async () =>
        Promise.all([
          ...callers.map(async (caller) => (await caller.get('/api/snippets?limit=1')).status),
          ...readers.map(async (reader) => (await reader.get(`/api/shares/${share.id}`)).status),
        ])
      await expect.poll(statuses, { timeout: 1_000 }).toEqual(Array(9).fill(200))
    }
  })

  it('disables a share within a second everywhere, as data and as a page', async () => {
    const share = await makeShare(await system.user('publisher'), {})
    const readers = gateways.map((gateway) => system.anyone(gateway))
    const uses = [`/api/shares/${share.id}`, `/api/shares/${share.id}/raw`, `/s/${share.id}`].map((path) =>
      readEverywhere(readers, path),
    )
    const operator = await operatorAt(1)
    expect((await operator.post(`/api/operator/shares/${share.id}/disable`, why)).status).toBe(200)
    const endedAt = performance.now()
    for (const use of uses) {
      await use.stopRefused()
      expect(use.lastAfter(endedAt)).toBeLessThan(1_000)
    }
    for (const reader of readers) {
      const refused = await reader.get(`/api/shares/${share.id}`)
      expect([refused.status, refused.json().code]).toEqual([410, 'share_disabled'])
    }
  })

  it('of acts by three gateways at once on one share, each state change is recorded once', async () => {
    const share = await makeShare(await system.user('publisher'), {})
    const operators = await Promise.all(gateways.map(operatorAt))
    const path = `/api/operator/shares/${share.id}`
    await Promise.all(
      operators.flatMap((operator) =>
        ['disable', 'enable', 'disable'].map((verb) => operator.post(`${path}/${verb}`, why)),
      ),
    )
    const found = await operators[0]?.get(`/api/operator/acts?subject=${share.id}&limit=100`)
    const acts = found?.json<{ acts: { action: string }[] }>().acts.map(({ action }) => action) ?? []
    // They alternate, because an act that changes nothing is none.
    for (const [index, action] of acts.entries()) expect(acts[index + 1]).not.toBe(action)
    const state = (await operators[0]?.get(path))?.json().state
    expect(acts[0]).toBe(state === 'disabled' ? 'share.disabled' : 'share.enabled')
  })
})
