import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { sandboxPrices } from '#shared/sandbox-prices.js'
import { type RunningSandbox, startSandbox } from './start-sandbox.js'
import { memoryStore } from './store.js'

const secretKey = 'sk_test_of_the_tests'
const webhookSecret = 'whsec_of_the_tests'
const daySeconds = 86_400

let sandbox: RunningSandbox
let stripe: Stripe
let listener: Server
let received: Stripe.Event[]

function clientOf(key: string, url = sandbox.url): Stripe {
  const { hostname: host, port } = new URL(url)
  return new Stripe(key, {
    apiVersion: '2026-10-28.endive',
    host,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: 20_000,
    telemetry: false,
  })
}

beforeEach(async () => {
  received = []
  listener = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const signature = request.headers['stripe-signature'] ?? ''
    received.push(Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, webhookSecret))
    response.end('{}')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const webhookUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`
  sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    secretKey,
    webhookSecret,
    webhookUrl: () => webhookUrl,
    store: memoryStore,
    faults: true,
    log: createLogger('test', 'silent'),
  })
  stripe = clientOf(secretKey)
})
afterEach(async () => {
  await sandbox.stop()
  listener.closeAllConnections()
  listener.close()
})

async function control(path: string, fields: object = {}): Promise<Response> {
  return fetch(`${sandbox.url}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
}

async function startCheckout(idempotencyKey?: string): Promise<Stripe.Checkout.Session> {
  const customer = await stripe.customers.create({
    email: 'ann@example.com',
    metadata: { account_id: 'ann' },
  })
  return stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: customer.id,
      client_reference_id: 'ann',
      line_items: [{ price: sandboxPrices.month, quantity: 1 }],
      success_url: 'https://app.example/thanks',
      cancel_url: 'https://app.example/no',
      subscription_data: { metadata: { account_id: 'ann' } },
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )
}

async function subscribe(): Promise<Stripe.Subscription> {
  const session = await startCheckout()
  await control(`checkout/${session.id}/pay`)
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  return stripe.subscriptions.retrieve(String(subscription), { expand: ['latest_invoice'] })
}

it('the real client subscribes, cancels, resumes, ends, refunds and lists', async () => {
  const subscription = await subscribe()
  expect(subscription).toMatchObject({ status: 'active', metadata: { account_id: 'ann' } })
  expect(subscription.latest_invoice).toMatchObject({ object: 'invoice', status: 'paid', amount_paid: 900 })
  const [item] = subscription.items.data
  expect(item?.price.recurring?.interval).toBe('month')
  expect((item?.current_period_end ?? 0) - subscription.created).toBeGreaterThanOrEqual(28 * daySeconds)
  const { id } = subscription
  const cancelled = await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect(cancelled).toMatchObject({ cancel_at_period_end: true, cancel_at: item?.current_period_end })
  expect(await stripe.subscriptions.update(id, { cancel_at: '' })).toMatchObject({
    cancel_at_period_end: false,
  })
  expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled')
  await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing' })
  const [invoice] = (await stripe.invoices.list({ subscription: id })).data
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data
  const refund = { payment_intent: String(payment?.payment.payment_intent) }
  expect(await stripe.refunds.create(refund)).toMatchObject({ amount: 900, status: 'succeeded' })
  await expect(stripe.refunds.create(refund)).rejects.toMatchObject({ code: 'charge_already_refunded' })
  expect((await stripe.subscriptions.list()).data).toEqual([])
  for (let n = 0; n < 4; n += 1) await subscribe()
  const all: string[] = []
  for await (const one of stripe.subscriptions.list({ status: 'all', limit: 2 })) all.push(one.id)
  expect(new Set(all).size).toBe(5)
})

it('the same idempotency key returns the same response, and is rejected for another request', async () => {
  const create = (email: string) => stripe.customers.create({ email }, { idempotencyKey: 'key' })
  const first = await create('ann@example.com')
  const again = await create('ann@example.com')
  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
  await expect(create('bob@example.com')).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
  expect(Object.keys(sandbox.model.state.customers)).toHaveLength(1)
})

it('unknown requests are rejected with the API’s own errors', async () => {
  await expect(clientOf('sk_test_wrong').customers.create({})).rejects.toMatchObject({ statusCode: 401 })
  await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(stripe.prices.retrieve('price_week')).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(
    stripe.checkout.sessions.create({ mode: 'subscription', customer: 'cus_none' }),
  ).rejects.toMatchObject({ statusCode: 400 })
  await expect(stripe.subscriptions.retrieve('constructor_x')).rejects.toMatchObject({ statusCode: 404 })
  expect((await fetch(`${sandbox.url}/v1/subscriptions/__proto__`)).status).toBe(401)
})

it('every event arrives, signed as the client verifies it, and again on request', async () => {
  const subscription = await subscribe()
  const types = () => received.map(({ type }) => type)
  await expect
    .poll(types)
    .toEqual(
      expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'checkout.session.completed']),
    )
  const created = received.find(({ type }) => type === 'customer.subscription.created')
  expect(created?.data.object).toMatchObject({ id: subscription.id, object: 'subscription' })
  const before = received.length
  await control(`events/${created?.id}/resend`)
  await expect.poll(() => received.length).toBeGreaterThan(before)
  expect(received.at(-1)?.id).toBe(created?.id)
})

it('after a month a subscription is renewed, or overdue until payments succeed again', async () => {
  const { id, customer } = await subscribe()
  await control('clock', { advance_seconds: 32 * daySeconds })
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  await control(`customers/${customer}`, { succeed: false })
  await control('clock', { advance_seconds: 31 * daySeconds })
  const overdue = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(overdue).toMatchObject({ status: 'past_due', latest_invoice: { status: 'open' } })
  await control(`customers/${customer}`, { succeed: true })
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  await control(`customers/${customer}`, { succeed: false })
  await control('clock', { advance_seconds: 60 * daySeconds })
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
})

it('faults happen on request, and a lost response keeps its effect', async () => {
  // The client always retries once after a broken connection, whatever its settings.
  const timesOf = (kind: string) => (kind === 'reset' || kind === 'lost-reply' ? 2 : 1)
  const fault = (kind: string) =>
    control('faults', { match: 'POST /v1/customers', times: timesOf(kind), kind })
  let calls = 0
  const outcome = () =>
    stripe.customers.create({}, { idempotencyKey: `call-${++calls}` }).then(
      () => 'made',
      (error: Stripe.errors.StripeError) => error.statusCode,
    )
  for (const [kind, status] of [
    ['status-500', 500],
    ['status-429', 429],
    ['status-409', 409],
    ['reset', undefined],
    ['lost-reply', undefined],
    ['slow-50', 'made'],
  ]) {
    await fault(String(kind))
    expect([kind, await outcome()]).toEqual([kind, status])
  }
  expect(await outcome()).toBe('made')
  expect(Object.keys(sandbox.model.state.customers)).toHaveLength(3)
})

it('the page pays, declines and goes back, but rejects other sites’ forms', async () => {
  const session = await startCheckout()
  const page = async (action = '', headers: Record<string, string> = {}) =>
    fetch(`${session.url}${action}`, {
      redirect: 'manual',
      ...(action === '' ? {} : { method: 'POST', headers }),
    })
  const shown = await page()
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await shown.text()).toMatch(
    /€9\.00 a month[\s\S]*ann@example\.com[\s\S]*>Pay<[\s\S]*>Decline<[\s\S]*>Abandon</,
  )
  expect(await (await page('/decline')).text()).toContain('The card was declined')
  expect((await page('/abandon')).headers.get('location')).toBe('https://app.example/no')
  expect((await page('/pay', { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await page('/pay', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
  expect((await page('/pay', { Origin: 'null' })).status).toBe(403)
  expect(sandbox.model.state.checkouts[session.id]?.status).toBe('open')
  const paid = await page('/pay', { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' })
  expect([paid.status, paid.headers.get('location')]).toEqual([303, 'https://app.example/thanks'])
  expect(await (await page()).text()).toContain('This is paid')
  expect((await fetch(`${sandbox.url}/pay/cs_none`)).status).toBe(404)
})

it('web pages cannot use the API or the controls, nor read events with their signatures', async () => {
  const session = await startCheckout()
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(`${sandbox.url}${path}`, { method, headers: { Authorization: `Bearer ${secretKey}`, ...headers } })
  const pages = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: sandbox.url },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: sandbox.url },
  ]
  for (const headers of pages) {
    const events = await ask('/sandbox/events', headers)
    expect([events.status, await events.text()]).toEqual([403, expect.not.stringContaining('signature')])
    expect((await ask('/v1/subscriptions', headers)).status).toBe(403)
    expect((await ask('/sandbox/clock', headers, 'POST')).status).toBe(403)
    expect((await ask(`/sandbox/checkout/${session.id}/pay`, headers, 'POST')).status).toBe(403)
  }
  expect(sandbox.model.state.checkouts[session.id]?.status).toBe('open')
  expect((await ask('/sandbox/events', {})).status).toBe(200)
  expect((await ask('/v1/subscriptions', {})).status).toBe(200)
})

it('a control accepts only JSON bodies, which forms cannot send', async () => {
  const clock = (contentType: string) =>
    fetch(`${sandbox.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'Content-Type': contentType },
      body: '{"advance_seconds":60}',
    })
  const before = sandbox.model.state.clockOffset
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
    expect((await clock(type)).status).toBe(415)
  expect(sandbox.model.state.clockOffset).toBe(before)
  expect((await clock('application/json; charset=utf-8')).status).toBe(200)
  expect(sandbox.model.state.clockOffset).toBe(before + 60)
})

it('a foreign host name that points to the sandbox is rejected (DNS rebinding)', async () => {
  const statusFor = (host: string, path = '/sandbox/events') =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = get(`${sandbox.url}${path}`, { headers: { Host: host } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
    })
  const { port } = new URL(sandbox.url)
  for (const name of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect(await statusFor(`${name}:${port}`), name).toBe(403)
  expect(await statusFor(`evil.example:${port}`, '/healthz')).toBe(403)
  for (const name of ['127.0.0.1', 'localhost', 'sandbox.localhost', 'sandbox', '[::1]'])
    expect(await statusFor(`${name}:${port}`), name).toBe(200)
})
