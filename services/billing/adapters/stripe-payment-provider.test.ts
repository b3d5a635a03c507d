import { afterEach, describe, expect, it } from 'vitest'
import { accountId, checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { Subscription } from '../domain/subscription.js'
import {
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedStripe,
  scriptedStripe,
  stripeError,
} from '../testing/scripted-stripe.js'
import { stripeList, stripeSubscription } from '../testing/stripe-objects.js'
import { stripePaymentProvider } from './stripe-payment-provider.js'

const account = accountId('account-000001')
const customer = customerId('cus_1')
const subscription = subscriptionId('sub_1')
const checkout = checkoutId('cs_1')
const urls = { successUrl: 'https://app.example/done', cancelUrl: 'https://app.example/left' }
const monthly = { accountId: account, customerId: customer, interval: 'month', ...urls } as const
const session = {
  id: 'cs_1',
  object: 'checkout.session',
  status: 'open',
  url: 'https://pay.example/cs_1',
  expires_at: 1_893_456_000,
}
const missing = stripeError(404, 'resource_missing')

let server: ScriptedStripe

async function open(script: (request: ScriptedRequest, before: number) => ScriptedReply) {
  server = await scriptedStripe(script)
  return stripePaymentProvider({
    secretKey: 'sk_test_secret',
    apiBase: server.url,
    priceMonth: 'price_m',
    priceYear: 'price_y',
    pricesFormer: ['price_1'],
    timeoutMs: 20_000,
    retriesMax: 1,
  })
}

/** The requests, in order. */
function asked(): readonly string[] {
  return server.requests.map(({ method, path }) => `${method} ${path}`)
}

afterEach(() => server.close())

describe('a request to Stripe', () => {
  it('names the API version, and sends no telemetry', async () => {
    const provider = await open(() => missing)
    await provider.findSubscription(subscription)
    await provider.findSubscription(subscription)
    for (const { headers } of server.requests) {
      expect(headers['stripe-version']).toBe('2026-10-28.endive')
      expect(headers.authorization).toBe('Bearer sk_test_secret')
      expect(headers['x-stripe-client-telemetry']).toBeUndefined()
    }
  })

  it('has an idempotency key if it changes something, and keeps it for retries', async () => {
    const provider = await open((_request, before) => {
      if (before === 0) return 'reset'
      return { body: { id: 'bps_1', object: 'billing_portal.session', url: 'https://pay.example/portal' } }
    })
    expect(await provider.openPortal(customer, 'https://app.example/')).toBe('https://pay.example/portal')
    const [first, second] = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/.{20}/)
    expect(second).toBe(first)
    expect(server.requests[1]?.params).toEqual({ customer: 'cus_1', return_url: 'https://app.example/' })
  })

  it('is retried if another one with its key is in progress', async () => {
    const provider = await open((_request, before) =>
      before === 0
        ? stripeError(409, 'idempotency_key_in_use', 'idempotency_error')
        : { body: { id: 'cus_9', object: 'customer' } },
    )
    expect(await provider.createCustomer(account, null, 'key-1')).toBe('cus_9')
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', 'key-1'])
  })
})

describe('a customer at Stripe', () => {
  it('has the e-mail address and id of the account', async () => {
    const provider = await open(() => ({ body: { id: 'cus_9', object: 'customer' } }))
    expect(await provider.createCustomer(account, 'ada@example.com', 'key-1')).toBe('cus_9')
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/customers',
      params: { email: 'ada@example.com', 'metadata[account_id]': account },
    })
  })

  it('is created without an address that Stripe rejects', async () => {
    const provider = await open(({ params }) =>
      params.email === undefined
        ? { body: { id: 'cus_9', object: 'customer' } }
        : stripeError(400, 'email_invalid'),
    )
    expect(await provider.createCustomer(account, 'ada@localhost', 'key-1')).toBe('cus_9')
    const [first, second] = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(second).not.toBe(first)
  })
})

describe('a checkout at Stripe', () => {
  it.each([
    ['month', 'price_m'],
    ['year', 'price_y'],
  ] as const)('by the %s sells one %s to the customer', async (interval, price) => {
    const provider = await open(() => ({ body: session }))
    expect(await provider.startCheckout({ ...monthly, interval }, 'key-1')).toEqual({
      id: 'cs_1',
      url: 'https://pay.example/cs_1',
      expiresAt: new Date(1_893_456_000_000),
    })
    expect(server.requests[0]?.headers['idempotency-key']).toBe('key-1')
    expect(server.requests[0]?.params).toEqual({
      mode: 'subscription',
      customer: 'cus_1',
      client_reference_id: account,
      'line_items[0][price]': price,
      'line_items[0][quantity]': '1',
      success_url: urls.successUrl,
      cancel_url: urls.cancelUrl,
      'metadata[account_id]': account,
      'subscription_data[metadata][account_id]': account,
    })
  })

  it.each([
    ['expired now', { body: { ...session, status: 'expired' } }, null, false],
    ['unknown', missing, null, false],
    ['complete', stripeError(400, null), 'complete', true],
    ['expired before', stripeError(400, null), 'expired', false],
  ])('that is %s is reported as closed or paid', async (_name, expired, status, paid) => {
    const provider = await open(({ method }) =>
      method === 'POST' ? expired : { body: { ...session, status } },
    )
    expect(await provider.closeCheckout(checkout)).toEqual({ paid })
  })

  it('that stays open is unavailable, and not reported as closed', async () => {
    const provider = await open(({ method }) =>
      method === 'POST' ? stripeError(400, null) : { body: session },
    )
    await expect(provider.closeCheckout(checkout)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('prices at Stripe', () => {
  const price = (id: string, interval: string, changes: object = {}) => ({
    body: {
      id,
      object: 'price',
      active: true,
      currency: 'eur',
      unit_amount: 500,
      recurring: { interval },
      ...changes,
    },
  })

  it('are monthly and yearly', async () => {
    const provider = await open(({ path }) =>
      path.endsWith('price_m') ? price('price_m', 'month') : price('price_y', 'year', { unit_amount: 5_000 }),
    )
    expect(await provider.prices()).toEqual([
      { interval: 'month', currency: 'eur', amountMinor: 500 },
      { interval: 'year', currency: 'eur', amountMinor: 5_000 },
    ])
  })

  it.each([
    ['is missing', missing],
    ['is not on sale', price('price_y', 'year', { active: false })],
    ['has no amount', price('price_y', 'year', { unit_amount: null })],
    ['is paid once', price('price_y', 'year', { recurring: null })],
    ['is paid at another interval', price('price_y', 'month')],
  ])('omit one that %s', async (_name, yearly) => {
    const provider = await open(({ path }) => (path.endsWith('price_m') ? price('price_m', 'month') : yearly))
    expect((await provider.prices()).map(({ interval }) => interval)).toEqual(['month'])
  })
})

describe('a subscription at Stripe', () => {
  it('includes the invoice since which it is overdue', async () => {
    const provider = await open(() => ({ body: stripeSubscription() }))
    expect(await provider.findSubscription(subscription)).toMatchObject({ id: 'sub_1' })
    expect(server.requests[0]?.params).toEqual({ 'expand[0]': 'latest_invoice' })
  })

  it.each([
    ['ends with its period', {}, true, { cancel_at_period_end: 'true' }],
    [
      'continues',
      { cancel_at_period_end: true, cancel_at: 1_893_456_000 },
      false,
      { cancel_at_period_end: 'false' },
    ],
    ['continues after a cancellation in the portal', { cancel_at: 1_893_456_000 }, false, { cancel_at: '' }],
  ])('%s on request', async (_name, before, cancel, params) => {
    const after = { cancel_at_period_end: cancel, cancel_at: null }
    const provider = await open(({ method }) => ({
      body: stripeSubscription(method === 'GET' ? before : after),
    }))
    expect(await provider.setCancelAtPeriodEnd(subscription, cancel)).toMatchObject({
      cancelAtPeriodEnd: cancel,
    })
    expect(server.requests[1]?.params).toEqual({ ...params, 'expand[0]': 'latest_invoice' })
  })

  it('is not changed if it already has the requested state', async () => {
    const provider = await open(() => ({ body: stripeSubscription({ cancel_at: 1_893_456_000 }) }))
    await provider.setCancelAtPeriodEnd(subscription, true)
    expect(asked()).toEqual(['GET /v1/subscriptions/sub_1'])
  })

  it('that ends meanwhile is not found', async () => {
    const provider = await open(({ method }, before) => {
      if (method === 'POST') return stripeError(400, null)
      return { body: stripeSubscription({ status: before === 0 ? 'active' : 'canceled' }) }
    })
    await expect(provider.setCancelAtPeriodEnd(subscription, true)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('is unavailable if Stripe refuses the change', async () => {
    const provider = await open(({ method }) =>
      method === 'POST' ? stripeError(400, null) : { body: stripeSubscription() },
    )
    await expect(provider.setCancelAtPeriodEnd(subscription, true)).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })

  it('is listed page by page, even if it has ended', async () => {
    const provider = await open((_request, before) =>
      stripeList(
        [stripeSubscription({ id: `sub_${before}a` }), stripeSubscription({ id: `sub_${before}b` })],
        before < 2,
      ),
    )
    const listed: Subscription[] = []
    for await (const each of provider.allSubscriptions()) listed.push(each)
    expect(listed.map(({ id }) => id)).toEqual(['sub_0a', 'sub_0b', 'sub_1a', 'sub_1b', 'sub_2a', 'sub_2b'])
    expect(server.requests.map(({ params }) => params)).toEqual(
      [undefined, 'sub_0b', 'sub_1b'].map((after) => ({
        status: 'all',
        limit: '100',
        'expand[0]': 'data.latest_invoice',
        ...(after === undefined ? {} : { starting_after: after }),
      })),
    )
  })

  it('makes the whole list fail if one page fails, so that the rest is not taken for ended', async () => {
    const provider = await open((_request, before) =>
      before === 0 ? stripeList([stripeSubscription()], true) : stripeError(429, 'rate_limit'),
    )
    const listed: string[] = []
    const list = async () => {
      for await (const { id } of provider.allSubscriptions()) listed.push(id)
    }
    await expect(list()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(listed).toEqual(['sub_1'])
  })

  it('stops being listed at an empty page, even if Stripe claims to have more', async () => {
    const provider = await open(() => stripeList([], true))
    for await (const _ of provider.allSubscriptions()) expect.fail()
    expect(server.requests).toHaveLength(1)
  })
})
