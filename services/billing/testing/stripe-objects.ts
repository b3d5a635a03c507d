import type Stripe from 'stripe'

const monthSeconds = 2_678_400

/** A subscription as Stripe sends it, with the fields that we read. */
export function stripeSubscription(changes: object = {}): Stripe.Subscription {
  const created = 1_893_456_000
  const price = { id: 'price_1', object: 'price', recurring: { interval: 'month', interval_count: 1 } }
  const item = {
    id: 'si_1',
    current_period_start: created,
    current_period_end: created + monthSeconds,
    price,
  }
  const text = JSON.stringify({
    id: 'sub_1',
    object: 'subscription',
    customer: 'cus_1',
    status: 'active',
    created,
    cancel_at_period_end: false,
    cancel_at: null,
    ended_at: null,
    items: { object: 'list', data: [item], has_more: false },
    latest_invoice: null,
    ...changes,
  })
  return JSON.parse(text)
}

/** A page of a list. */
export function stripeList(data: readonly unknown[], has_more = false) {
  return { body: { object: 'list', url: '/v1/list', data, has_more } }
}
