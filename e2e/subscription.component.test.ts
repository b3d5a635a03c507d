import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { iterations } from './harness/iterations.js'
import type { PaymentSide } from './harness/payment-side.js'
import { checkout, own, planOf, subscribeAs } from './harness/subscribe.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'
import { until } from './harness/until.js'

const daySeconds = 86_400

let system: SystemInProcess
let payments: PaymentSide

beforeAll(async () => {
  system = await startSystem({ gateways: 3, payments: { billings: 2 } })
  if (system.payments === null) throw new Error('there are no payments')
  payments = system.payments
})
afterAll(() => system?.stop())

const subscribe = (name: string) => subscribeAs(system, name)

describe('a subscription', () => {
  it('starts with a payment, is renewed, overdue, paid late, cancelled, resumed and ended, and the plan follows', async () => {
    const { user, id } = await subscribe('whole-life')
    expect(await own(user)).toMatchObject({
      plan: 'pro',
      status: 'active',
      interval: 'month',
      cancel_at_period_end: false,
    })
    const first = (await own(user)).current_period_end
    await payments.control('clock', { advance_seconds: 32 * daySeconds })
    await until(async () => (await own(user)).current_period_end !== first)
    const customer = await payments.customerOf(id)
    await payments.control(`customers/${customer}`, { succeed: false })
    await payments.control('clock', { advance_seconds: 31 * daySeconds })
    await until(async () => (await own(user)).status === 'past_due')
    expect(await planOf(user)).toBe('pro')
    await payments.control(`customers/${customer}`, { succeed: true })
    await until(async () => (await own(user)).status === 'active')
    expect((await user.post('/api/subscription/cancel', undefined)).json()).toMatchObject({
      plan: 'pro',
      cancel_at_period_end: true,
    })
    expect((await user.post('/api/subscription/cancel', undefined)).status).toBe(200)
    expect((await user.post('/api/subscription/resume', {})).json()).toMatchObject({
      cancel_at_period_end: false,
    })
    const portal = await user.post('/api/subscription/portal', undefined)
    expect(portal.status).toBe(201)
    expect((await fetch(portal.json<{ portal_url: string }>().portal_url)).status).toBe(200)
    for (const type of [
      'charge.refunded',
      'charge.dispute.created',
      'invoice.voided',
      'a.type.of.tomorrow',
    ]) {
      await payments.control('events', {
        type,
        object: { id: 'x_1', object: 'x', customer, subscription: id },
      })
    }
    await payments.settled()
    expect(await own(user)).toMatchObject({ plan: 'pro', status: 'active' })
    await user.post('/api/subscription/cancel', undefined)
    await payments.control('clock', { advance_seconds: 32 * daySeconds })
    await until(async () => (await own(user)).status === 'canceled')
    await until(async () => (await planOf(user)) === 'free')
    expect((await user.post('/api/subscription/resume', undefined)).status).toBe(404)
    expect((await checkout(user)).status).toBe(201)
  })

  it('takes effect on every gateway within five seconds of the event, also for a key in use, at its start and end', async () => {
    const { clients, user, id } = await subscribe('felt')
    for (const client of clients) await until(async () => (await planOf(client)) === 'pro')
    const made = await user.post('/api/keys', { name: 'in use' })
    expect(made.status, made.text).toBe(201)
    const { key } = made.json<{ key: string }>()
    const keys = [0, 1, 2].map((gateway) => system.withKey(key, gateway))
    for (const one of keys) expect((await one.get('/api/snippets')).status).toBe(200)
    const statuses = async () => Promise.all(keys.map(async (one) => (await one.get('/api/snippets')).status))
    await payments.control(`subscriptions/${id}/cancel`)
    const ended = await until(async () => (await statuses()).every((status) => status === 403))
    process.stdout.write(`the end of a subscription took effect everywhere after ${Math.round(ended)} ms\n`)
    const again = await checkout(user)
    await payments.control(`checkout/${again.json<{ id: string }>().id}/pay`)
    const started = await until(async () => (await statuses()).every((status) => status === 200))
    process.stdout.write(`a new one took effect everywhere after ${Math.round(started)} ms\n`)
  })

  it('removes the expiry that the smaller plan gave to shares', async () => {
    const user = await system.user('sharer')
    const share = { tool: 'csv', title: 'Shared', data: { a: 1 } }
    const { id } = (await user.post('/api/shares', share)).json<{ id: string }>()
    const expiry = async () =>
      (await user.get(`/api/shares/${id}`)).json<{ expires_at: string | null }>().expires_at
    expect(await expiry()).not.toBeNull()
    await subscribe('sharer')
    await until(async () => (await expiry()) === null)
  })

  it('is visible to its owner only, and to no API key', async () => {
    const { user } = await subscribe('with-key')
    let key = ''
    // Identity may learn of the plan a moment later than billing.
    await until(async () => {
      const made = await user.post('/api/keys', { name: 'k' })
      key = made.json<{ key: string }>().key
      return made.status === 201
    })
    const byKey = system.withKey(key)
    const requests = [
      () => byKey.get('/api/subscription'),
      () => byKey.post('/api/subscription/checkout', { interval: 'month' }),
      () => byKey.post('/api/subscription/portal', undefined),
      () => byKey.post('/api/subscription/cancel', undefined),
      () => byKey.post('/api/subscription/resume', undefined),
    ]
    for (const send of requests) {
      const response = await send()
      expect([response.status, response.json().code]).toEqual([403, 'identity_token_required'])
    }
    expect((await system.anyone().get('/api/subscription')).status).toBe(401)
    const stranger = await system.user('stranger')
    expect(await own(stranger)).toEqual({
      plan: 'free',
      status: 'none',
      interval: null,
      current_period_end: null,
      cancel_at_period_end: false,
      granted_until: null,
    })
    for (const action of ['portal', 'cancel', 'resume']) {
      expect((await stranger.post(`/api/subscription/${action}`, undefined)).status, action).toBe(404)
    }
  })
})

describe('a checkout', () => {
  it('redirects payers only to the web application, and accepts only its own fields', async () => {
    const user = await system.user('tamperer')
    const wrong: [object, string][] = [
      [{ success_url: 'https://evil.example/' }, 'validation_failed'],
      [{ cancel_url: `${system.baseUrl()}@evil.example/` }, 'validation_failed'],
      [{ success_url: 'javascript:alert(1)' }, 'validation_failed'],
      [{ interval: 'week' }, 'validation_failed'],
      [{ interval: undefined }, 'validation_failed'],
      [{ price: 'price_free' }, 'unknown_field'],
      [{ plan: 'pro' }, 'unknown_field'],
      [{ account_id: 'somebody' }, 'unknown_field'],
      [{ customer: 'cus_1' }, 'unknown_field'],
      [{ email: 'foreign@example.com' }, 'unknown_field'],
      [{ amount: 1 }, 'unknown_field'],
    ]
    for (const [fields, code] of wrong) {
      const response = await checkout(user, fields)
      expect([fields, response.status, response.json().code]).toEqual([fields, 400, code])
    }
    const ours = { success_url: `${system.baseUrl()}/thanks`, cancel_url: `${system.baseUrl()}/no` }
    const { id } = (await checkout(user, ours)).json<{ id: string }>()
    expect(await payments.ask(`checkout/sessions/${id}`)).toMatchObject({ ...ours, mode: 'subscription' })
  })

  it('of 50 parallel requests over every gateway is one, and leaves one customer, in each round', async () => {
    const rounds = iterations(8, 50)
    const before = (await payments.events()).filter(({ type }) => type === 'customer.created').length
    for (let round = 0; round < rounds; round += 1) {
      const clients = await Promise.all(
        [0, 1, 2].map((gateway) => system.user(`crowd${round}`, 'free', gateway)),
      )
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, n) => checkout(clients[n % 3] ?? system.anyone())),
      )
      const statuses = responses.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array<number>(49).fill(200), 201])
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    }
    const customers = (await payments.events()).filter(({ type }) => type === 'customer.created').length
    expect(customers - before).toBe(rounds)
  })

  it('and a portal return the first response again for the same Idempotency-Key, and reject it for another request', async () => {
    const user = await system.user('repeater')
    const key = { 'Idempotency-Key': 'once' }
    const post = (path: string, body: object | undefined, headers = key) =>
      user.post(`/api/subscription/${path}`, body, headers)
    const first = await post('checkout', { interval: 'month' })
    const again = await post('checkout', { interval: 'month' })
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect((await post('checkout', { interval: 'year' })).json().code).toBe('idempotency_key_reused')
    expect((await post('portal', undefined)).json().code).toBe('idempotency_key_reused')
    const portal = { 'Idempotency-Key': 'another' }
    const [one, two] = [await post('portal', undefined, portal), await post('portal', undefined, portal)]
    expect([one.status, two.headers.get('idempotent-replayed'), two.text]).toEqual([201, 'true', one.text])
    expect((await post('portal', undefined, { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400)
  })

  it('is refused to a subscriber, and to another account with the same verified address', async () => {
    const { user } = await subscribe('twice')
    expect((await checkout(user)).json()).toMatchObject({ status: 409, code: 'already_subscribed' })
  })
})
