import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkPayments } from './check-payments.js'

/** The responses of a fake Stripe, by path. */
let responses: Record<string, { status: number; body: unknown }> = {}
let apiBase = ''
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://stripe').pathname
  const { status, body } = responses[path] ?? { status: 404, body: missing }
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
})
const missing = {
  error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' },
}

const price = (interval: string, more: object = {}) => ({
  id: `price_${interval}`,
  object: 'price',
  active: true,
  currency: 'eur',
  unit_amount: 900,
  recurring: { interval, interval_count: 1 },
  ...more,
})
const endpoint = (more: object = {}) => ({
  id: 'we_1',
  object: 'webhook_endpoint',
  url: 'https://snip.example/api/webhooks/stripe',
  status: 'enabled',
  enabled_events: ['*'],
  ...more,
})
const paths = {
  month: '/v1/prices/price_month',
  year: '/v1/prices/price_year',
  hooks: '/v1/webhook_endpoints',
  subscriptions: '/v1/subscriptions',
}
const good = (body: unknown) => ({ status: 200, body })
const hooks = (...data: unknown[]) => good({ object: 'list', data, has_more: false })

const subscription = (price: string, metadata: object = { account_id: 'a' }) => ({
  id: `sub_${price}`,
  object: 'subscription',
  metadata,
  items: { object: 'list', data: [{ id: 'si_1', price: { id: price, object: 'price' } }] },
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  apiBase = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  responses = {
    [paths.month]: good(price('month')),
    [paths.year]: good(price('year')),
    [paths.hooks]: hooks(endpoint()),
    [paths.subscriptions]: hooks(subscription('price_month')),
  }
})

const usual = {
  secretKey: 'rk_live_the_key_of_a_test',
  priceMonth: 'price_month',
  priceYear: 'price_year',
  pricesFormer: [] as readonly string[],
  timeoutMs: 20_000,
  retriesMax: 0,
  kind: 'stripe' as 'stripe' | 'sandbox',
  production: true,
  publicBaseUrl: 'https://snip.example',
}

const look = (more: Partial<typeof usual & { apiBase: string }> = {}) =>
  checkPayments({ ...usual, apiBase, ...more })
const bad = async (more: Partial<typeof usual & { apiBase: string }> = {}) =>
  (await look(more)).find(({ verdict }) => verdict !== 'ok')

test('an account with both prices and an endpoint for all events is ok', async () => {
  expect((await look()).map(({ check, verdict }) => [check, verdict])).toEqual([
    ['payment key', 'ok'],
    ['payment provider', 'ok'],
    ['monthly price', 'ok'],
    ['yearly price', 'ok'],
    ['prices of subscriptions', 'ok'],
    ['webhook', 'ok'],
  ])
})

test('the key’s mode must match the environment', async () => {
  expect(await bad({ secretKey: 'sk_test_x' })).toMatchObject({ verdict: 'warning', check: 'payment key' })
  expect(await bad({ production: false })).toMatchObject({ verdict: 'warning', check: 'payment key' })
  expect(await bad({ secretKey: 'pk_live_x' })).toMatchObject({ verdict: 'problem', check: 'payment key' })
})

test('a rejected key is a problem, and is not printed', async () => {
  const error = {
    type: 'invalid_request_error',
    code: 'api_key_invalid',
    message: `Bad key ${usual.secretKey}`,
  }
  responses[paths.month] = { status: 401, body: { error } }
  expect(await bad()).toMatchObject({
    verdict: 'problem',
    remedy: 'STRIPE_SECRET_KEY=a key that is not revoked, of this account',
  })
  expect(JSON.stringify(await look())).not.toContain(usual.secretKey)
})

test.each([
  ['does not exist', { status: 404, body: missing }, 'this account has no price price_month'],
  ['is not active', good(price('month', { active: false })), 'is not active'],
  ['recurs at another interval', good(price('year', { id: 'price_month' })), 'does not recur every month'],
  ['is paid once', good(price('month', { recurring: null })), 'does not recur every month'],
] as const)('a price that %s is a problem with its variable', async (_name, response, message) => {
  responses[paths.month] = response
  const finding = await bad()
  expect(finding).toMatchObject({ verdict: 'problem', check: 'monthly price' })
  expect(finding?.message).toContain(message)
  expect(finding?.remedy).toMatch(/^STRIPE_PRICE_MONTH=/)
})

test('subscriptions at an unknown price are reported, with the setting to add it to', async () => {
  responses[paths.subscriptions] = hooks(
    subscription('price_month'),
    subscription('price_old'),
    subscription('price_of_a_mug', {}),
  )
  const finding = await bad()
  expect(finding).toMatchObject({ verdict: 'warning', check: 'prices of subscriptions' })
  expect(finding?.message).toContain('price_old (1)')
  expect(finding?.remedy).toMatch(/^STRIPE_PRICES_FORMER=price_old,/)
  responses['/v1/prices/price_old'] = good(price('month', { id: 'price_old', active: false }))
  expect(await bad({ pricesFormer: ['price_old'] })).toBeUndefined()
})

test('a missing former price is a problem', async () => {
  expect(await bad({ pricesFormer: ['price_lost'] })).toMatchObject({
    verdict: 'problem',
    check: 'former prices',
    message: expect.stringContaining('price_lost'),
  })
})

test.each([
  ['has another URL', endpoint({ url: 'https://other.example/' }), 'no webhook endpoint points to'],
  ['is disabled', endpoint({ status: 'disabled' }), 'is disabled'],
  [
    'does not get all events',
    endpoint({ enabled_events: ['invoice.paid'] }),
    'does not get checkout.session.completed',
  ],
])('an endpoint that %s is a problem', async (_name, found, message) => {
  responses[paths.hooks] = hooks(found)
  expect((await bad())?.message).toContain(message)
})

test('a key that may not read endpoints skips the webhook check', async () => {
  const error = { type: 'invalid_request_error', message: 'not allowed' }
  responses[paths.hooks] = { status: 403, body: { error } }
  expect(await bad()).toMatchObject({ verdict: 'skipped', check: 'webhook' })
})

test("an unreachable provider is a problem, and names the sandbox's variable if it is the sandbox", async () => {
  const gone = 'http://127.0.0.1:1'
  expect(await bad({ apiBase: gone })).toMatchObject({ verdict: 'problem', check: 'payment provider' })
  expect(await bad({ apiBase: gone, kind: 'sandbox' })).toMatchObject({
    remedy: 'start the sandbox, or correct SANDBOX_URL',
  })
})
