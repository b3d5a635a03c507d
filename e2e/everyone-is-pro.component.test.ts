import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem({ env: { PAYMENT_PROVIDER: 'none', RATE_LIMIT_STRICT: '2/60' } })
})
afterAll(() => system?.stop())

const record = { tool: 'csv', title: 'Mine', data: { v: 1 } }

it('without billing everyone has Pro: unlimited snippets, permanent shares, keys, all of history', async () => {
  const user = await system.user('anybody')
  for (let n = 0; n < 20; n += 1) expect((await user.post('/api/snippets', record)).status).toBe(201)
  for (let n = 0; n < 25; n += 1) expect((await user.post('/api/history', { tool: 'csv' })).status).toBe(201)
  expect((await user.get('/api/history?limit=100')).json<{ history: unknown[] }>().history).toHaveLength(25)
  expect((await user.post('/api/shares', record)).json()).toMatchObject({ expires_at: null })
  const large = { ...record, data: { v: 'x'.repeat(6_000_000) } }
  expect((await user.post('/api/snippets', large)).status).toBe(201)
  const { client } = await makeKey(system, user)
  expect((await client.get('/api/snippets?limit=1')).status).toBe(200)
  expect((await user.get('/api/auth/profile')).json()).toMatchObject({
    plan: 'pro',
    limits: {
      snippets: null,
      shares: null,
      stored_bytes: 107_374_182_400,
      share_ttl_days: null,
      history: null,
      api_keys: 5,
      data_bytes: 52_428_800,
    },
    usage: { snippets: 21, shares: 1, history: 25, api_keys: 1 },
  })
})

it('Pro is the only plan there, and the billing routes say that nothing is for sale', async () => {
  const plans = (await system.anyone().get('/api/plans')).json<{ plans: { id: string }[] }>().plans
  expect(plans.map(({ id }) => id)).toEqual(['pro'])
  const user = await system.user('buyer')
  const calls: [string, string][] = [
    ['GET', '/api/subscription'],
    ['POST', '/api/subscription/checkout'],
    ['POST', '/api/subscription/portal'],
    ['POST', '/api/subscription/cancel'],
    ['POST', '/api/subscription/resume'],
    ['POST', '/api/webhooks/stripe'],
  ]
  for (const [method, path] of calls) {
    const response = await user.request(method, path)
    expect([response.status, response.json().code], path).toEqual([404, 'not_found'])
    expect(response.json().detail).toContain('every account has Pro')
  }
  expect((await user.get('/api/subscriptions')).json().detail).not.toContain('Pro')
})
