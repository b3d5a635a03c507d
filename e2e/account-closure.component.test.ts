import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { makeShare } from './harness/make-share.js'
import { subscribeAs } from './harness/subscribe.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { until } from './harness/until.js'
import { within } from './harness/within.js'

let system: SystemInProcess
let github: FakeCiIssuer
const gateways = [0, 1, 2]

beforeAll(async () => {
  github = await startFakeCiIssuer(githubClaims, 'github')
  // With Redis, gateways learn at once what another one has changed.
  const redisUrl = inject('redisUrl')
  const env = {
    OPERATOR_CLAIM: 'groups:operators',
    CI_ISSUERS: `github=github+${github.url}`,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
  }
  system = await startSystem({ gateways: 3, payments: {}, env })
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

/** Without Redis, gateways notice when their caches expire. */
const withinMs = (withRedisMs: number): number => (inject('redisUrl') === null ? 6_000 : withRedisMs)

const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds

/** A client of a user who signed in this long ago. */
async function signedIn(name: string, seconds = 0, gateway = 0): Promise<ApiClient> {
  const token = await system.issuer.token(name, { auth_time: secondsAgo(seconds) })
  return apiClient(system.baseUrl(gateway), { Authorization: `Bearer ${token}` })
}

async function idOf(user: ApiClient): Promise<string> {
  return (await user.get('/api/auth/profile')).json<{ id: string }>().id
}

function close(user: ApiClient, confirm: string) {
  return user.request('DELETE', '/api/account', { body: { confirm } })
}

describe('closing an account', () => {
  it('needs a recent sign-in and the name of the account', async () => {
    const [user, old] = [await signedIn('careful'), await signedIn('careful', 700)]
    for (const client of [old, await system.user('careful')]) {
      const refused = await close(client, 'careful@example.com')
      expect([refused.status, refused.json().code]).toEqual([401, 'login_too_old'])
      expect(refused.headers.get('www-authenticate')).toContain('max_age=600')
    }
    for (const confirm of ['', 'other@example.com', 'A'.repeat(22)]) {
      const refused = await close(user, confirm)
      expect([refused.status, refused.json().code]).toEqual([400, 'validation_failed'])
    }
    expect((await user.request('DELETE', '/api/account', { body: {} })).status).toBe(400)
    expect((await user.get('/api/auth/profile')).status).toBe(200)
  })

  it('stops every credential and hides every share on all gateways within a second, until it is restored', async () => {
    const user = await system.user('leaver', 'pro')
    const share = await makeShare(user, {})
    const key = await makeKey(system, user)
    const job = await clientOfJob(system, user, github, ['read', 'write'])
    const tokens = await Promise.all(gateways.map((gateway) => signedIn('leaver', 0, gateway)))
    const callers = [...tokens, ...gateways.map((gateway) => system.withKey(key.key, gateway)), job]
    const readers = gateways.map((gateway) => system.anyone(gateway))
    const statuses = (clients: readonly ApiClient[], path: string) =>
      Promise.all(clients.map(async (client) => (await client.get(path)).status))
    expect(await statuses(callers, '/api/snippets')).toEqual(callers.map(() => 200))
    expect(await statuses(readers, `/api/shares/${share.id}`)).toEqual([200, 200, 200])

    const [owner = user, other = user] = tokens
    const closed = await Promise.all([close(owner, 'Leaver@example.com'), close(other, await idOf(user))])
    expect(
      closed.map(({ status }) => status),
      closed[0]?.text,
    ).toEqual([202, 202])
    expect(closed[0]?.json()).toEqual(closed[1]?.json())
    const { erased_after: erasedAfter } = closed[0]?.json<{ erased_after: string }>() ?? {}
    await within(withinMs(1_000), true, async () =>
      (await statuses(callers, '/api/snippets')).every((status) => status === 403),
    )
    await within(withinMs(1_000), true, async () =>
      (await statuses(readers, `/api/shares/${share.id}`)).every((status) => status === 404),
    )
    const refused = await user.post('/api/snippets', { tool: 'csv', title: 'late', data: {} })
    expect([refused.status, refused.json()]).toMatchObject([
      403,
      { code: 'account_closing', erased_after: erasedAfter },
    ])
    expect((await readers[0]?.get(`/s/${share.id}`))?.status).toBe(404)
    const operator = apiClient(system.baseUrl(), {
      Authorization: `Bearer ${await system.issuer.token('op', { groups: ['operators'] })}`,
    })
    const seen = (await operator.get('/api/operator/accounts?state=closing')).json()
    expect(seen.accounts).toMatchObject([{ email: 'leaver@example.com', erased_after: erasedAfter }])

    const restored = await Promise.all(tokens.map((client) => client.post('/api/account/restore', {})))
    expect(restored.map(({ status }) => status)).toEqual([200, 200, 200])
    await within(withinMs(1_000), true, async () =>
      (await statuses([...callers, ...readers], `/api/shares/${share.id}`)).every((status) => status === 200),
    )
    await within(withinMs(1_000), true, async () =>
      (await statuses(callers, '/api/snippets')).every((status) => status === 200),
    )
    const events = (await user.get('/api/events?type=account')).json<{ events: { type: string }[] }>().events
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['account.closed', 'account.restored']),
    )
  })

  it('is answered in time while content hangs, which hides the shares as soon as it goes on', async () => {
    const user = await system.user('patient')
    const share = await makeShare(user, {})
    const { moderation } = system.content.stores
    const setSuspended = moderation.setSuspended.bind(moderation)
    let goOn = (): void => {}
    const hang = new Promise<void>((resolve) => {
      goOn = resolve
    })
    Object.assign(moderation, {
      setSuspended: async (...given: Parameters<typeof setSuspended>) => {
        await hang
        return setSuspended(...given)
      },
    })
    try {
      const closed = await close(await signedIn('patient'), 'patient@example.com')
      expect(closed.status, closed.text).toBe(202)
      expect((await system.anyone().get(`/api/shares/${share.id}`)).status).toBe(200)
    } finally {
      goOn()
      Object.assign(moderation, { setSuspended })
    }
    await until(async () => (await system.anyone().get(`/api/shares/${share.id}`)).status === 404)
  })

  it('drops no share from a cache when nothing has changed', async () => {
    const user = await signedIn('restless')
    const share = await makeShare(await system.user('bystander'), {})
    const { shares } = system.content.stores
    const find = shares.find.bind(shares)
    let loads = 0
    Object.assign(shares, {
      find: (...given: Parameters<typeof find>) => {
        loads += 1
        return find(...given)
      },
    })
    const rounds = 20
    const repeat = async (change: () => Promise<{ readonly status: number }>, status: number) => {
      loads = 0
      for (let round = 0; round < rounds; round += 1) {
        expect((await change()).status).toBe(status)
        expect((await system.anyone().get(`/api/shares/${share.id}`)).status).toBe(200)
      }
      expect(loads).toBeLessThan(rounds)
    }
    try {
      await repeat(() => user.post('/api/account/restore', {}), 200)
      await repeat(() => close(user, 'restless@example.com'), 202)
    } finally {
      Object.assign(shares, { find })
    }
  })

  it('ends the subscription at once, and erases everything after the time, as if nobody had been there', async () => {
    const { user, id: subscription } = await subscribeAs(system, 'payer')
    const id = await idOf(user)
    const fresh = await signedIn('payer')
    const marker = 'planted-marker'
    await user.post('/api/snippets', { tool: 'csv', title: marker, data: { marker } })
    await user.post('/api/snippets', { tool: 'csv', title: marker, data: { marker: 'x'.repeat(100_000) } })
    await user.post('/api/history', { tool: 'csv', title: marker })
    const share = await makeShare(user, { title: marker })
    await system.anyone().post('/api/reports', { share: share.id, reason: 'other', message: marker })
    expect((await close(fresh, id)).status).toBe(202)
    const side = system.payments
    const statusOf = async () =>
      (await side?.ask<{ status: string }>(`subscriptions/${subscription}`))?.status
    await until(
      async () => (await statusOf()) === 'canceled',
      () => 'the subscription goes on',
    )
    system.endClosure(id)
    await until(
      async () => (await fresh.get('/api/auth/profile')).status === 200,
      () => 'the account is still there',
    )
    expect(await idOf(fresh)).not.toBe(id)
    expect((await fresh.get('/api/snippets')).json()).toMatchObject({ snippets: [] })
    expect((await fresh.get('/api/history')).json()).toMatchObject({ history: [] })
    expect((await fresh.get('/api/events')).json()).toMatchObject({ events: [] })
    expect((await fresh.get('/api/subscription')).json()).toMatchObject({ plan: 'free', status: 'none' })
    expect((await system.anyone().get(`/api/shares/${share.id}`)).status).toBe(404)
    expect(system.content.bytes.size).toBe(0)
    const { state } = system.content
    for (const kept of [state.snippets, state.shares, state.documents, state.reports, state.views])
      expect(JSON.stringify([...kept])).not.toMatch(new RegExp(`${id}|${marker}`))
    const customer = await side?.customerOf(subscription)
    await expect(side?.ask(`customers/${customer}`)).rejects.toThrow('404')
    const tooLate = await (await signedIn('payer', 0, 1)).post('/api/account/restore', {})
    expect([tooLate.status, tooLate.json<{ id: string }>().id]).toEqual([200, await idOf(fresh)])
  })
})
