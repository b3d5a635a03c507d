import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ApiClient } from '../harness/api-client.js'
import { iterations } from '../harness/iterations.js'
import { signWebhook } from '../harness/payment-side.js'
import type { Payments } from '../harness/payments.js'
import { checkout, own } from '../harness/subscribe.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import { until } from '../harness/until.js'

let system: TestSystem
let payments: Payments
let db: pg.Client

beforeAll(async () => {
  system = await startSystem({ payments: {} })
  if (system.payments === null) throw new Error('there are no payments')
  payments = system.payments
  db = new pg.Client({ connectionString: system.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await system?.stop()
})

const fault = (match: string, kind: string, times: number) =>
  payments.control('faults', { match, kind, times })

async function pay(user: ApiClient): Promise<string> {
  const { id } = (await checkout(user)).json<{ id: string }>()
  return (await payments.control<{ subscription: string }>(`checkout/${id}/pay`)).subscription
}

/** The version of the last announced plan of each account that has one. */
async function versions(): Promise<readonly number[]> {
  const { rows } = await db.query<{ plan_version: string }>(
    'SELECT account.plan_version FROM billing.account WHERE account.plan_version > 0',
  )
  return rows.map(({ plan_version }) => Number(plan_version))
}

it('a process killed between storing and processing an event loses nothing and repeats nothing', async () => {
  const [billing] = payments.billings
  const times = iterations(1, 10)
  for (let round = 0; round < times; round += 1) {
    const user = await system.user(`killed${round}`)
    const before = await versions()
    // Processing an event requests the subscription, and waits.
    await fault('GET /v1/subscriptions/', 'hang', 4)
    await pay(user)
    await payments.settled()
    const { rows } = await db.query(
      "SELECT FROM billing.provider_event WHERE outcome IS NULL AND type LIKE 'c%'",
    )
    expect(rows.length).toBeGreaterThan(0)
    await billing?.kill()
    await billing?.restart()
    await until(async () => (await own(user)).plan === 'pro')
    expect((await own(user)).status).toBe('active')
    expect((await versions()).toSorted()).toEqual([...before, 1].toSorted())
  }
  await until(async () => {
    const { rows } = await db.query('SELECT FROM billing.plan_delivery')
    return rows.length === 0
  })
})

it('an event sent while billing is down is resent until it is stored', async () => {
  const [billing] = payments.billings
  const user = await system.user('away')
  const { id } = (await checkout(user)).json<{ id: string }>()
  await billing?.kill()
  await payments.control(`checkout/${id}/pay`)
  const refused = await system.anyone().request('POST', '/api/webhooks/stripe', {
    body: '{}',
    headers: { 'Stripe-Signature': signWebhook('{}') },
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await user.get('/api/auth/profile')).status).toBe(200)
  expect((await system.anyone().get('/api/plans')).status).toBe(200)
  expect((await user.get('/api/subscription')).status).toBe(503)
  await billing?.restart()
  await until(async () => (await own(user)).plan === 'pro')
})

it('while the provider hangs, fails or is slow, plans and subscriptions are readable, and a checkout is the open session or a clear 503', async () => {
  const reader = await system.user('reader')
  for (const [n, kind] of ['hang', 'status-500', 'status-429', 'reset', 'lost-reply', 'slow-800'].entries()) {
    const user = await system.user(`patient${n}`)
    await fault('POST /v1/', kind, 4)
    const [first, read, plans] = await Promise.all([
      checkout(user),
      reader.get('/api/subscription'),
      system.anyone().get('/api/plans'),
    ])
    expect([read.status, plans.status]).toEqual([200, 200])
    expect([201, 503], `${kind}: ${first.text}`).toContain(first.status)
    if (first.status === 503) {
      expect(first.json()).toMatchObject({ code: 'unavailable' })
      expect(first.headers.get('retry-after')).not.toBeNull()
    }
    // An unused fault must not affect the next event.
    await payments.control('faults', { clear: true })
    await until(async () => [200, 201].includes((await checkout(user)).status))
    const sessions = await Promise.all([checkout(user), checkout(user)])
    expect(new Set(sessions.map(({ text }) => text)).size).toBe(1)
    await pay(user)
    await until(async () => (await own(user)).plan === 'pro')
  }
})

it('a plan reaches a service as soon as it is back, and the others immediately', async () => {
  const [content] = system.contents
  const user = await system.user('content-away')
  const share = { tool: 'csv', title: 'Shared', data: { a: 1 } }
  const { id } = (await user.post('/api/shares', share)).json<{ id: string }>()
  const { id: session } = (await checkout(user)).json<{ id: string }>()
  await content?.kill()
  await payments.control(`checkout/${session}/pay`)
  await until(async () => (await user.post('/api/keys', { name: 'k' })).status === 201)
  await content?.restart()
  const expiry = async () =>
    (await user.get(`/api/shares/${id}`)).json<{ expires_at: string | null }>().expires_at
  await until(async () => (await expiry()) === null)
})

it('lost events are made up for by reconciliation', async () => {
  const user = await system.user('missed')
  await payments.control('delivery', { enabled: false })
  await pay(user)
  expect((await own(user)).plan).toBe('free')
  const output = await payments.reconcile()
  expect(output).toMatch(/^\d+ subscriptions checked, [1-9]\d* corrected, 0 failed\.\n$/)
  await until(async () => (await user.get('/api/auth/profile')).json().plan === 'pro')
  expect(await payments.reconcile()).toContain(' 0 corrected,')
  await payments.control('delivery', { enabled: true })
  await payments.settled()
})
