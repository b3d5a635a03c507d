import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { OperatorServiceClient } from '#proto/snipkeep/identity/v1/operator_service.js'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { makeShare } from './harness/make-share.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { until } from './harness/until.js'
import { within } from './harness/within.js'

let system: SystemInProcess
let github: FakeCiIssuer
let operator: ApiClient
const gateways = [0, 1, 2]
const why = { reason: 'it imitates a bank', message: 'Please appeal by mail.' }

async function operatorAt(gateway = 0): Promise<ApiClient> {
  const token = await system.issuer.token('op', { groups: ['operators'] })
  return apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` })
}

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  // With Redis, gateways learn at once what another one has changed.
  const redisUrl = inject('redisUrl')
  const env = {
    OPERATOR_CLAIM: 'groups:operators,roles=snipkeep-operator',
    CI_ISSUERS: `github=github+${github.url}`,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  }
  system = await startSystem({ gateways: 3, payments: {}, env })
  operator = await operatorAt()
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

async function idOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ id: string }>().id
}

/** Without Redis, gateways notice when their caches expire. */
const withinMs = (withRedisMs: number): number => (inject('redisUrl') === null ? 6_000 : withRedisMs)

describe('a suspended account', () => {
  it('gets 403 with every credential and 404 for its shares on every gateway within a second', async () => {
    const user = await system.user('spammer', 'pro')
    const share = await makeShare(user, {})
    const [key, id] = [await makeKey(system, user), await idOf(user)]
    const job = await clientOfJob(system, user, github, ['read', 'write'])
    const token = await system.issuer.token('spammer')
    const byKey = gateways.map((gateway) => system.withKey(key.key, gateway))
    const byToken = gateways.map((gateway) =>
      apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` }),
    )
    const readers = gateways.map((gateway) => system.anyone(gateway))
    const codes = (clients: readonly ApiClient[], path: string) =>
      Promise.all(clients.map(async (client) => (await client.get(path)).status))
    const callers = [...byKey, ...byToken, job]
    expect(await codes(callers, '/api/snippets')).toEqual(Array(7).fill(200))
    expect(await codes(readers, `/api/shares/${share.id}`)).toEqual([200, 200, 200])
    expect((await operator.post(`/api/operator/accounts/${id}/suspend`, why)).status).toBe(200)
    await within(withinMs(1_000), true, async () =>
      (await codes(callers, '/api/snippets')).every((status) => status === 403),
    )
    await within(withinMs(1_000), true, async () =>
      (await codes(readers, `/api/shares/${share.id}`)).every((status) => status === 404),
    )
    expect((await user.get('/api/auth/profile')).json().code).toBe('account_suspended')
    expect((await readers[0]?.get(`/s/${share.id}`))?.status).toBe(404)
    expect((await operator.get(`/api/operator/shares/${share.id}`)).json().account_suspended).toBe(true)
    await (await operatorAt(1)).post(`/api/operator/accounts/${id}/resume`, why)
    await within(withinMs(1_000), true, async () =>
      (await codes(callers, '/api/snippets')).every((status) => status === 200),
    )
    expect(await codes(readers, `/api/shares/${share.id}`)).toEqual([200, 200, 200])
  })

  it('loses its shares also if the gateway dies before content knows, and if content is down', async () => {
    const user = await system.user('lucky')
    const [share, id] = [await makeShare(user, {}), await idOf(user)]
    const shareStatus = async () => (await system.anyone(1).get(`/api/shares/${share.id}`)).status
    const identity = new OperatorServiceClient(
      system.targets.identity,
      plainTransport.channelCredentials('identity'),
    )
    const decision = { operatorId: 'op', operatorName: '', reason: 'a test', message: '', shownAs: '' }
    const decide = (suspended: boolean) =>
      callUnary(
        identity,
        identity.setSuspended,
        { accountId: id, suspended, decision },
        { requestId: 'e2e', timeoutMs: 10_000 },
      )
    await decide(true)
    await until(async () => (await shareStatus()) === 404)
    await decide(false)
    await until(async () => (await shareStatus()) === 200)
    identity.close()
    const { moderation } = system.content.stores
    const setSuspended = moderation.setSuspended.bind(moderation)
    Object.assign(moderation, { setSuspended: () => Promise.reject(unavailable('down')) })
    try {
      expect((await operator.post(`/api/operator/accounts/${id}/suspend`, why)).status).toBe(200)
    } finally {
      Object.assign(moderation, { setSuspended })
    }
    await until(async () => (await shareStatus()) === 404)
  })

  it('ends in the state that was decided last, when two operators decide at once', async () => {
    const user = await system.user('disputed')
    const [id, share] = [await idOf(user), await makeShare(user, {})]
    const [one, other] = [await operatorAt(1), await operatorAt(2)]
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        one.post(`/api/operator/accounts/${id}/suspend`, why),
        other.post(`/api/operator/accounts/${id}/resume`, why),
      ])
      const isSuspended = (await operator.get(`/api/operator/accounts/${id}`)).json().suspended_at !== null
      const record = (await operator.get(`/api/operator/shares/${share.id}`)).json()
      expect(record.account_suspended, `round ${round}`).toBe(isSuspended)
    }
  })

  it('is never one’s own, and an unknown one is 404', async () => {
    const own = await operator.post(`/api/operator/accounts/${await idOf(operator)}/suspend`, why)
    expect([own.status, own.json().code]).toEqual([409, 'own_account'])
    const unknown = await operator.post(`/api/operator/accounts/${'A'.repeat(22)}/suspend`, why)
    expect([unknown.status, unknown.json().code]).toEqual([404, 'not_found'])
    for (const body of [
      {},
      { reason: ' ' },
      { reason: 'x', message: 'x'.repeat(501) },
      { reason: 'x', by: 'me' },
    ])
      expect((await operator.post(`/api/operator/accounts/${'A'.repeat(22)}/suspend`, body)).status).toBe(400)
  })
})

describe('an account as operators see it', () => {
  it('is found by id, e-mail address and subject, with counts and without content', async () => {
    const user = await system.user('seen')
    const secret = 'nobody-but-the-owner-reads-this'
    await user.post('/api/snippets', { tool: 'csv', title: secret, data: { secret } })
    const id = await idOf(user)
    for (const q of [id, 'SEEN@example.com', 'seen']) {
      const found = (await operator.get(`/api/operator/accounts?q=${encodeURIComponent(q)}`)).json()
      expect(found.accounts).toMatchObject([
        { id, email: 'seen@example.com', plan: 'free', suspended_at: null },
      ])
    }
    expect((await operator.get('/api/operator/accounts?q=nobody')).json()).toEqual({ accounts: [] })
    const details = await operator.get(`/api/operator/accounts/${id}`)
    expect(details.json()).toMatchObject({
      usage: { snippets: 1, shares: 0, api_keys: 0 },
      billing: { plan: 'free', status: 'none', granted_until: null },
    })
    const events = await operator.get(`/api/operator/accounts/${id}/events`)
    expect(details.text + events.text).not.toContain(secret)
  })
})

describe('a plan that an operator gives', () => {
  it('is in force within seconds, told to the owner, and ends when it is ended', async () => {
    const friend = await system.user('friend')
    const id = await idOf(friend)
    const plan = async () => (await friend.get('/api/auth/profile')).json().plan
    const endsAt = new Date(Date.now() + 86_400_000).toISOString()
    const path = `/api/operator/accounts/${id}`
    const granted = await operator.post(`${path}/grant-plan`, { ...why, plan: 'pro', ends_at: endsAt })
    expect(granted.json()).toMatchObject({ billing: { plan: 'pro', status: 'none', granted_until: endsAt } })
    await until(async () => (await plan()) === 'pro')
    expect((await friend.get('/api/subscription')).json().granted_until).toBe(endsAt)
    const told = (await friend.get('/api/events?type=plan.granted')).json<{ events: object[] }>().events
    expect(told).toMatchObject([{ detail: { plan: 'pro', until: endsAt, message: why.message } }])
    expect((await operator.post(`${path}/end-grant`, { reason: 'over' })).status).toBe(200)
    await until(async () => (await plan()) === 'free')
    expect((await operator.post(`${path}/end-grant`, { reason: 'over' })).status).toBe(404)
    const recorded = async () => {
      const log = await operator.get(`/api/operator/acts?account=${id}`)
      return log.json<{ acts: { action: string }[] }>().acts.map(({ action }) => action)
    }
    await within(5_000, ['plan.grant_ended', 'plan.granted'], recorded)
  })

  it('needs an end in the future, and an account', async () => {
    const id = await idOf(await system.user('friend'))
    const grant = (body: object, account = id) =>
      operator.post(`/api/operator/accounts/${account}/grant-plan`, { ...why, plan: 'pro', ...body })
    for (const body of [
      {},
      { ends_at: '2001-01-01T00:00:00Z' },
      { expires_in: 60, ends_at: '2040-01-01T00:00:00Z' },
    ])
      expect((await grant(body)).status, JSON.stringify(body)).toBe(400)
    expect((await grant({ expires_in: 60 }, 'A'.repeat(22))).status).toBe(404)
  })
})

it('the audit log has pages, of all services in one order', async () => {
  const all = (await operator.get('/api/operator/acts?limit=100')).json<{
    acts: { id: string; created_at: string }[]
  }>().acts
  expect(all.length).toBeGreaterThan(8)
  expect(all.map(({ created_at: at }) => at)).toEqual(
    all
      .map(({ created_at: at }) => at)
      .toSorted()
      .toReversed(),
  )
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = (await operator.get(`/api/operator/acts?limit=3${query}`)).json<{
      acts: { id: string }[]
      next_cursor: string | null
    }>()
    seen.push(...page.acts.map(({ id }) => id))
    cursor = page.next_cursor
  }
  expect(seen).toEqual(all.map(({ id }) => id))
})

it('queues and payments are shown', async () => {
  const state = (await operator.get('/api/operator/queues')).json<{ queues: { service: string }[] }>()
  expect(state).toMatchObject({
    payments: { provider: 'stripe', past_due_subscriptions: 0 },
    unavailable: [],
  })
  expect(state.queues.map(({ service }) => service)).toEqual([
    ...['content', 'content', 'identity'],
    ...['billing', 'billing', 'billing'],
  ])
})
