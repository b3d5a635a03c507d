import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ApiClient, apiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { holdsPlan } from './harness/holds-plan.js'
import { streamedRequest } from './harness/streamed-request.js'
import { subscribeAs } from './harness/subscribe.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { within } from './harness/within.js'

let system: SystemInProcess

beforeAll(async () => {
  // With Redis, gateways learn of a plan change immediately.
  const redisUrl = inject('redisUrl')
  system = await startSystem({ payments: {}, env: redisUrl === null ? {} : { REDIS_URL: redisUrl } })
})
afterAll(() => system?.stop())

const record = { tool: 'csv', title: 'Kept', data: { v: 1 } }

interface Item {
  readonly id: string
  readonly expires_at?: string | null
}

async function listAll(client: ApiClient, path: string, plural: string): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await client.get(`${path}?limit=100${next}`)
    expect(response.status).toBe(200)
    const page = response.json<Record<string, Item[]> & { next_cursor: string | null }>()
    items.push(...(page[plural] ?? []))
    cursor = page.next_cursor
  }
  return items
}

/** Until the gateway's cached plan has expired: without Redis after five seconds at most. */
describe('a change of plan', () => {
  it('an upgrade removes the expiry set by the plan from live shares, not that chosen by their owner', async () => {
    const user = await system.user('upgrader')
    const share = async (fields: object = {}): Promise<Item> => {
      const response = await user.post('/api/shares', { ...record, ...fields })
      expect(response.status).toBe(201)
      return response.json<Item>()
    }
    const byPlan = await share()
    const byOwner = await share({ expires_in: 3_600 })
    const tag = (await system.anyone().get(`/api/shares/${byPlan.id}`)).headers.get('etag') ?? ''
    expect(byPlan.expires_at).not.toBeNull()
    await system.setPlan('upgrader', 'pro')
    const seen = async ({ id }: Item) =>
      (await system.anyone().get(`/api/shares/${id}`)).json<Item>().expires_at
    // It has just been read, and stays cached for two seconds.
    const both = async () => [await seen(byPlan), await seen(byOwner)]
    await within(2_100, [null, byOwner.expires_at], both)
    const again = await system.anyone().get(`/api/shares/${byPlan.id}`, { 'If-None-Match': tag })
    expect(again.status).toBe(200)
    await system.setPlan('upgrader', 'free')
    expect(await seen(byPlan)).toBeNull()
  })

  it('during an upload decides about its result', async () => {
    const body = Buffer.from(JSON.stringify({ ...record, data: { text: 'x'.repeat(200_000) } }))
    const shareWhile = async (name: string, before: 'free' | 'pro', after: 'free' | 'pro') => {
      const Authorization = `Bearer ${await system.issuer.token(name)}`
      const user = apiClient(system.baseUrl(), { Authorization })
      await system.setPlan(name, before)
      const { documents } = system.content.state
      const documentsBefore = documents.size
      async function* arriving(): AsyncGenerator<Uint8Array> {
        yield body.subarray(0, 100_000)
        // The caller is authenticated, and the body is being forwarded to content.
        await expect.poll(() => documents.size).toBeGreaterThan(documentsBefore)
        await system.setPlan(name, after)
        await holdsPlan(user, after)
        // The plan is checked again for a body that took longer than half a second.
        await sleep(600)
        yield body.subarray(100_000)
      }
      const headers = {
        Authorization,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      }
      const response = await streamedRequest(`${system.baseUrl()}/api/shares`, 'POST', headers, arriving())
      expect(response.status).toBe(201)
      return (JSON.parse(String(response.body)) as Item).expires_at
    }
    expect(await shareWhile('buys while sending', 'free', 'pro')).toBeNull()
    expect(await shareWhile('ends while sending', 'pro', 'free')).not.toBeNull()
  })

  it('a downgrade leaves everything readable and blocks what exceeds it, and an upgrade restores all', async () => {
    const { user, id: first } = await subscribeAs(system, 'downgrader')
    await holdsPlan(user, 'pro')
    for (let n = 0; n < 40; n += 1) expect((await user.post('/api/snippets', record)).status).toBe(201)
    for (let n = 0; n < 300; n += 1)
      expect((await user.post('/api/history', { tool: 'csv' })).status).toBe(201)
    for (let n = 0; n < 10; n += 1) expect((await user.post('/api/shares', record)).status).toBe(201)
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(system, user)))
    const snippets = await listAll(user, '/api/snippets', 'snippets')
    const shares = await listAll(user, '/api/shares', 'shares')
    const history = await listAll(user, '/api/history', 'history')
    expect([snippets.length, shares.length, history.length]).toEqual([40, 10, 300])

    await system.payments?.control(`subscriptions/${first}/cancel`)
    await holdsPlan(user, 'free')
    expect(await listAll(user, '/api/snippets', 'snippets')).toEqual(snippets)
    expect(await listAll(user, '/api/shares', 'shares')).toEqual(shares)
    expect(await listAll(user, '/api/history', 'history')).toEqual(history.slice(0, 20))
    expect((await user.get('/api/keys')).json<{ keys: unknown[] }>().keys).toHaveLength(5)
    for (const { id } of snippets) expect((await user.get(`/api/snippets/${id}/raw`)).text).toBe('{"v":1}')
    expect((await user.patch(`/api/snippets/${snippets[0]?.id}`, { title: 'Renamed' })).status).toBe(200)
    const refused = await user.post('/api/snippets', record)
    expect([refused.status, refused.json().code]).toEqual([403, 'snippet_limit_reached'])
    const noKey = await user.post('/api/keys', { name: 'sixth' })
    expect([noKey.status, noKey.json().code]).toEqual([403, 'pro_required'])
    for (const { client } of keys) {
      const withOldKey = await client.get('/api/snippets')
      expect([withOldKey.status, withOldKey.json().code]).toEqual([403, 'pro_required'])
    }
    const profile = (await user.get('/api/auth/profile')).json()
    expect(profile).toMatchObject({ usage: { snippets: 40, shares: 10, history: 20, api_keys: 5 } })

    await subscribeAs(system, 'downgrader')
    await holdsPlan(user, 'pro')
    expect(await listAll(user, '/api/history', 'history')).toEqual(history)
    expect((await user.post('/api/snippets', record)).status).toBe(201)
    for (const { client } of keys) {
      await within(5_100, 200, async () => (await client.get('/api/snippets?limit=1')).status)
    }
  })
})
