import type Stripe from 'stripe'
import { customerId, subscriptionId } from '../domain/ids.js'
import type { Subscription, SubscriptionStatus } from '../domain/subscription.js'
import { expectObject } from './stripe-client.js'

/** The objects to expand with a subscription, so that it can be read. */
export const subscriptionParts = ['latest_invoice'] as const

const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'canceled'],
  ['trialing', 'trialing'],
  ['active', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'unpaid'],
  ['paused', 'paused'],
  ['canceled', 'canceled'],
] as const)

function time(seconds: number): Date {
  if (!Number.isFinite(seconds)) throw new Error('the response lacks a time')
  return new Date(seconds * 1000)
}

/** When the unpaid invoice became due; the start of the period if Stripe does not say. */
function overdueSince({ latest_invoice: invoice, items, created }: Stripe.Subscription): Date {
  if (invoice === null || typeof invoice === 'string') {
    return time(items.data[0]?.current_period_start ?? created)
  }
  return time(invoice.status_transitions?.finalized_at ?? invoice.created)
}

/**
 * Whether the subscription will end by itself. Which of the two fields says so depends on its billing mode and on
 * where it was cancelled: the portal sets only `cancel_at` for subscriptions of the flexible mode.
 */
export function isEnding({ cancel_at_period_end, cancel_at }: Stripe.Subscription): boolean {
  return cancel_at_period_end === true || typeof cancel_at === 'number'
}

/**
 * Reads a subscription that came with its `subscriptionParts`; `null` if it has none of these prices: a
 * customer may have others at the same Stripe account. An unknown status counts as paused: it does not give
 * Pro, and prevents a second subscription.
 */
export function readSubscription(
  response: Stripe.Subscription,
  prices: ReadonlySet<string>,
): Subscription | null {
  const found = expectObject(response, 'subscription')
  const status = statuses.get(found.status) ?? 'paused'
  const item = found.items.data.find(({ price }) => prices.has(price.id))
  if (item === undefined && (found.items.data.length > 0 || status !== 'canceled')) return null
  return {
    id: subscriptionId(found.id),
    customerId: customerId(typeof found.customer === 'string' ? found.customer : found.customer.id),
    status,
    interval: item?.price.recurring?.interval === 'year' ? 'year' : 'month',
    startedAt: time(found.created),
    currentPeriodEnd: time(item?.current_period_end ?? found.ended_at ?? found.created),
    cancelAtPeriodEnd: isEnding(found),
    overdueSince: status === 'past_due' ? overdueSince(found) : null,
  }
}
