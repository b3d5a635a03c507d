import { setTimeout } from 'node:timers/promises'
import { sandboxPrices } from '#shared/sandbox-prices.js'
import { accountId, checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { KeptSubscription, MemoryPaymentFixture } from './memory-payment-fixture.js'
import type { PaymentFault } from './memory-payment-provider.js'
import { type ScriptedReply, type ScriptedRequest, stripeError } from './scripted-stripe.js'
import { stripeList, stripeSubscription } from './stripe-objects.js'

type Route = (fixture: MemoryPaymentFixture, params: ScriptedRequest['params'], id: string) => ScriptedReply

const missing = stripeError(404, 'resource_missing')
const refused = stripeError(400, null)
const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

function subscriptionOf({ now, elsewhere }: KeptSubscription): object {
  const { id, customerId: customer, status, startedAt, currentPeriodEnd, overdueSince } = now
  const recurring = { interval: now.interval, interval_count: 1 }
  const price = { id: elsewhere ? 'price_of_a_mug' : sandboxPrices[now.interval], object: 'price', recurring }
  const item = { id: 'si_1', current_period_end: seconds(currentPeriodEnd), price }
  const due = overdueSince === null ? null : seconds(overdueSince)
  return stripeSubscription({
    id,
    customer,
    status,
    created: seconds(startedAt),
    cancel_at_period_end: now.cancelAtPeriodEnd,
    cancel_at: now.cancelAtPeriodEnd ? seconds(currentPeriodEnd) : null,
    items: { object: 'list', data: [item], has_more: false },
    latest_invoice: {
      id: 'in_1',
      object: 'invoice',
      created: due,
      status_transitions: { finalized_at: due },
    },
  })
}

function checkoutOf(fixture: MemoryPaymentFixture, id: string): ScriptedReply {
  const found = fixture.checkouts.get(checkoutId(id))
  if (found === undefined) return missing
  const { url, expiresAt } = found.session
  const status = found.state === 'paid' ? 'complete' : found.state
  return { body: { id, object: 'checkout.session', status, url, expires_at: seconds(expiresAt) } }
}

function pageOfSubscriptions(
  fixture: MemoryPaymentFixture,
  limit: number,
  after: string | undefined,
): ScriptedReply {
  const all = [...fixture.subscriptions.values()]
  const first = after === undefined ? 0 : all.findIndex(({ now }) => now.id === after) + 1
  return stripeList(all.slice(first, first + limit).map(subscriptionOf), all.length > first + limit)
}

/** The effect of each request. A subscription has one invoice with its id, paid by one payment. */
const routes: Readonly<Record<string, Route>> = {
  'GET /v1/prices/': ({ prices }, _params, id) => {
    const price = prices.find(({ interval }) => id === sandboxPrices[interval])
    if (price === undefined) return missing
    const { interval, currency, amountMinor: unit_amount } = price
    return { body: { id, object: 'price', active: true, currency, unit_amount, recurring: { interval } } }
  },
  'POST /v1/customers': (fixture) => ({ body: { id: fixture.makeCustomer(), object: 'customer' } }),
  'DELETE /v1/customers/': (fixture, _params, id) => {
    if (!fixture.customers.delete(customerId(id))) return missing
    for (const { now } of fixture.subscriptions.values())
      if (now.customerId === id && now.status !== 'canceled')
        fixture.change(now.id, { status: 'canceled', overdueSince: null })
    return { body: { id, object: 'customer', deleted: true } }
  },
  'POST /v1/checkout/sessions': (fixture, params) => {
    const customer = customerId(params.customer ?? '')
    if (!fixture.customers.has(customer)) return missing
    const { id } = fixture.openCheckout({
      accountId: accountId(params.client_reference_id ?? ''),
      customerId: customer,
      interval: params['line_items[0][price]'] === sandboxPrices.year ? 'year' : 'month',
      successUrl: params.success_url ?? '',
      cancelUrl: params.cancel_url ?? '',
    })
    return checkoutOf(fixture, id)
  },
  'GET /v1/checkout/sessions/': (fixture, _params, id) => checkoutOf(fixture, id),
  'POST /v1/checkout/sessions/expire': (fixture, _params, id) => {
    const state = fixture.checkouts.get(checkoutId(id))?.state ?? 'open'
    fixture.expire(checkoutId(id))
    return state === 'open' ? checkoutOf(fixture, id) : refused
  },
  'POST /v1/billing_portal/sessions': (_model, { customer }) => ({
    body: {
      id: 'bps_1',
      object: 'billing_portal.session',
      url: `https://payments.example/portal/${customer}`,
    },
  }),
  'GET /v1/subscriptions': (fixture, params) =>
    pageOfSubscriptions(fixture, Number(params.limit), params.starting_after),
  'GET /v1/subscriptions/': (fixture, _params, id) => {
    const found = fixture.subscriptions.get(subscriptionId(id))
    return found === undefined ? missing : { body: subscriptionOf(found) }
  },
  'POST /v1/subscriptions/': (fixture, params, id) => {
    const found = fixture.subscriptions.get(subscriptionId(id))
    if (found === undefined || found.now.status === 'canceled') return refused
    fixture.change(found.now.id, { cancelAtPeriodEnd: params.cancel_at_period_end === 'true' })
    return { body: subscriptionOf(found) }
  },
  'DELETE /v1/subscriptions/': (fixture, _params, id) => {
    const found = fixture.subscriptions.get(subscriptionId(id))
    if (found === undefined || found.now.status === 'canceled') return missing
    fixture.change(found.now.id, { status: 'canceled', overdueSince: null })
    return { body: subscriptionOf(found) }
  },
  'GET /v1/invoices': (fixture, { subscription = '' }) =>
    fixture.subscriptions.has(subscriptionId(subscription))
      ? stripeList([{ id: `in_${subscription}` }])
      : missing,
  'GET /v1/invoice_payments': (_model, { invoice = '' }) =>
    stripeList([
      { id: 'inpay_1', payment: { type: 'payment_intent', payment_intent: `pi_${invoice.slice(3)}` } },
    ]),
  'POST /v1/refunds': (fixture, { payment_intent: payment = '' }) => {
    const found = fixture.subscriptions.get(subscriptionId(payment.slice(3)))
    if (found === undefined) return missing
    if (found.keptMinor === 0) return stripeError(400, 'charge_already_refunded')
    found.keptMinor = 0
    return { body: { id: `re_${payment}`, object: 'refund', status: 'succeeded' } }
  },
}

/** Serves a request; its path names a collection, one of its objects, or an object and `expire`. */
function serve(fixture: MemoryPaymentFixture, { method, path, params }: ScriptedRequest): ScriptedReply {
  const collection = routes[`${method} ${path}`]
  if (collection !== undefined) return collection(fixture, params, '')
  const [, parent = '', id = '', action = ''] = /^(.*?\/)([^/]+)(?:\/(expire))?$/.exec(path) ?? []
  return routes[`${method} ${parent}${action}`]?.(fixture, params, id) ?? stripeError(404, null)
}

/**
 * Responds like Stripe's API, as a script for `scriptedStripe`: the result of a POST is kept under its
 * idempotency key; the key is refused for another request, and while the first one is in progress. Each
 * request consumes the first of `faults` and fails with it.
 */
export function memoryStripe(fixture: MemoryPaymentFixture, faults: PaymentFault[] = []) {
  const known = new Map<string, { readonly request: string; readonly reply: ScriptedReply }>()
  const inProgress = new Set<string>()
  const once = async (key: string, request: ScriptedRequest): Promise<ScriptedReply> => {
    const text = JSON.stringify([request.path, request.params])
    const before = known.get(key)
    if (before !== undefined && before.request !== text) return stripeError(400, null, 'idempotency_error')
    if (inProgress.has(key)) return stripeError(409, 'idempotency_key_in_use', 'idempotency_error')
    if (before !== undefined) return before.reply
    const reply = serve(fixture, request)
    known.set(key, { request: text, reply })
    inProgress.add(key)
    await setTimeout(5)
    inProgress.delete(key)
    return reply
  }
  return async (request: ScriptedRequest): Promise<ScriptedReply> => {
    const fault = faults.shift()
    if (fault === 'refused') return stripeError(503, null, 'api_error')
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
    const reply = typeof key === 'string' ? await once(key, request) : serve(fixture, request)
    return fault === 'lost' ? 'reset' : reply
  }
}
