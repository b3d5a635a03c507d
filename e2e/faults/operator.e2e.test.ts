import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import { type ApiClient, apiClient } from '../harness/api-client.js'
import { makeKey } from '../harness/api-keys.js'
import { iterations } from '../harness/iterations.js'
import { makeShare } from '../harness/make-share.js'
import { operate } from '../harness/operator.js'
import { readEverywhere } from '../harness/read-everywhere.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import type { SystemProcess } from '../harness/system-process.js'
import { until } from '../harness/until.js'
import { within } from '../harness/within.js'

const gateways = [0, 1, 2]
const why = { reason: 'a test' }

let redis: RedisServer
let system: TestSystem
let db: pg.Client

async function operatorAt(gateway: number): Promise<ApiClient> {
  const token = await system.issuer.token('op', { groups: ['operators'] })
  return apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` })
}

/** How many audit entries wait for identity. */
async function waitingEntries(): Promise<number> {
  const text = `SELECT ((SELECT count(*) FROM content.audit_delivery)
    + (SELECT count(*) FROM billing.audit_delivery))::int AS n`
  return (await db.query<{ n: number }>(text)).rows[0]?.n ?? -1
}

/** Does something while these processes hang. */
async function whileHanging(processes: readonly SystemProcess[], work: () => Promise<void>): Promise<void> {
  const pids = processes.map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

describeWithOwnRedis('an operator of three gateways', () => {
  beforeAll(async () => {
    redis = await startRedisServer()
    system = await startSystem({
      gateways: 3,
      contents: 2,
      identities: 2,
      // Billing records what operators do, too.
      payments: {},
      env: { REDIS_URL: redis.url, OPERATOR_CLAIM: 'groups:operators' },
    })
    db = new pg.Client({ connectionString: system.databaseUrl })
    await db.connect()
  })
  afterAll(async () => {
    await db?.end()
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

  it('at a terminal hides and shows the shares of an account, too', async () => {
    const owner = await system.user('at-terminal')
    const share = await makeShare(owner, {})
    const id = (await owner.get('/api/auth/profile')).json<{ id: string }>().id
    const env = { DATABASE_URL: system.databaseUrl, REDIS_URL: redis.url }
    const everywhere = async (path: string, status: number) => {
      const found = await Promise.all(gateways.map((gateway) => system.anyone(gateway).get(path)))
      return found.every((one) => one.status === status)
    }
    for (const [verb, status] of [
      ['suspend', 404],
      ['resume', 200],
    ] as const) {
      expect((await operate('identity', [verb, id], env)).code).toBe(0)
      for (const path of [`/api/shares/${share.id}`, `/s/${share.id}`])
        await within(4_000, true, () => everywhere(path, status))
    }
  })

  it('gets a response in time while billing or content hangs, as does an owner who leaves', async () => {
    const owner = await system.user('left-hanging')
    const [share, other] = [await makeShare(owner, {}), await makeShare(await system.user('leaver'), {})]
    const id = (await owner.get('/api/auth/profile')).json<{ id: string }>().id
    const operator = await operatorAt(0)
    const path = `/api/operator/accounts/${id}`
    await whileHanging(system.payments?.billings ?? [], async () => {
      const seen = await operator.get(path)
      expect([seen.status, seen.json().billing]).toEqual([200, null])
    })
    const token = await system.issuer.token('leaver', { auth_time: Math.floor(Date.now() / 1_000) })
    const leaver = apiClient(system.baseUrl(1), { Authorization: `Bearer ${token}` })
    await whileHanging(system.contents, async () => {
      const [suspended, closed] = await Promise.all([
        operator.post(`${path}/suspend`, why),
        leaver.request('DELETE', '/api/account', { body: { confirm: 'leaver@example.com' } }),
      ])
      expect([suspended.status, closed.status]).toEqual([200, 202])
    })
    for (const one of [share, other])
      await until(async () => (await system.anyone(2).get(`/api/shares/${one.id}`)).status === 404)
  })

  it('reads the audit log of all services while content and billing hang', async () => {
    const owner = await system.user('logged')
    const [id, share] = [
      (await owner.get('/api/auth/profile')).json<{ id: string }>().id,
      await makeShare(owner, {}),
    ]
    const operator = await operatorAt(0)
    const grant = { ...why, plan: 'pro', expires_in: 86_400 }
    expect((await operator.post(`/api/operator/accounts/${id}/grant-plan`, grant)).status).toBe(200)
    expect((await operator.post(`/api/operator/shares/${share.id}/disable`, why)).status).toBe(200)
    expect((await operator.post(`/api/operator/accounts/${id}/suspend`, why)).status).toBe(200)
    await until(async () => (await waitingEntries()) === 0)
    const hanging = [...system.contents, ...(system.payments?.billings ?? [])]
    await whileHanging(hanging, async () => {
      const log = await operator.get(`/api/operator/acts?account=${id}`)
      expect(log.status).toBe(200)
      const actions = log.json<{ acts: { action: string }[] }>().acts.map(({ action }) => action)
      expect(actions).toEqual(['account.suspended', 'share.disabled', 'plan.granted'])
    })
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

  it('of decisions at three gateways at once about one share, each state change is recorded once', async () => {
    const share = await makeShare(await system.user('publisher'), {})
    const operators = await Promise.all(gateways.map(operatorAt))
    const path = `/api/operator/shares/${share.id}`
    await Promise.all(
      operators.flatMap((operator) =>
        ['disable', 'enable', 'disable'].map((verb) => operator.post(`${path}/${verb}`, why)),
      ),
    )
    await until(async () => (await waitingEntries()) === 0)
    const found = await operators[0]?.get(`/api/operator/acts?subject=${share.id}&limit=100`)
    const log = found?.json<{ acts: { action: string }[] }>().acts.map(({ action }) => action) ?? []
    // They alternate, because what changes nothing is not recorded.
    for (const [index, action] of log.entries()) expect(log[index + 1]).not.toBe(action)
    const state = (await operators[0]?.get(path))?.json().state
    expect(log[0]).toBe(state === 'disabled' ? 'share.disabled' : 'share.enabled')
  })
})
