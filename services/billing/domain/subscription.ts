import { DomainError } from '#libs/core/domain-error.js'
import type { PlanName } from '#shared/core/plan.js'
import type { CustomerId, SubscriptionId } from './ids.js'

/** The billing interval. */
export type BillingInterval = 'month' | 'year'

/** The price of a period. */
export interface Price {
  readonly interval: BillingInterval
  /** ISO 4217, in lower case. */
  readonly currency: string
  /** In the currency's smallest unit. */
  readonly amountMinor: number
}

/**
 * The status: `incomplete` until the first payment, `past_due` while a later one is overdue and retried, `unpaid`
 * when retries ended but the subscription stays, `paused` by hand, `canceled` for ever.
 */
export type SubscriptionStatus =
  | 'incomplete'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** A subscription as last fetched from the payment provider. */
export interface Subscription {
  readonly id: SubscriptionId
  readonly customerId: CustomerId
  readonly status: SubscriptionStatus
  readonly interval: BillingInterval
  readonly startedAt: Date
  readonly currentPeriodEnd: Date
  readonly cancelAtPeriodEnd: boolean
  /** Since when a payment is overdue; `null` if none is. */
  readonly overdueSince: Date | null
}

/** How long Pro continues during an overdue payment, in milliseconds. */
export const graceMs = 7 * 86_400_000

/** Whether the subscription is ongoing, so that its owner must not start another. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== 'incomplete' && status !== 'canceled'
}

/** When the grace period of an overdue payment ends; `null` if none is overdue. */
function graceEnd({ status, overdueSince }: Subscription): Date | null {
  return status === 'past_due' && overdueSince !== null ? new Date(overdueSince.getTime() + graceMs) : null
}

/** The plan that a subscription gives its owner now. */
export function planOf(subscription: Subscription | null, now: Date): PlanName {
  if (subscription === null) return 'free'
  if (subscription.status === 'active' || subscription.status === 'trialing') return 'pro'
  const end = graceEnd(subscription)
  return end !== null && now < end ? 'pro' : 'free'
}

/** What happens to a subscription in relation to the account's current one. */
export type Verdict =
  /** It becomes, or already is, the current one. */
  | 'takes-over'
  /** It ended, and another one came after it. */
  | 'superseded'
  /** Both are ongoing, and no one should pay twice. */
  | 'rival'

function isYounger(one: Subscription, other: Subscription): boolean {
  const difference = one.startedAt.getTime() - other.startedAt.getTime()
  return difference === 0 ? one.id > other.id : difference > 0
}

/**
 * Compares a subscription with the account's: an ongoing one replaces one that has ended, and of two ended ones the
 * newer counts, in whatever order they become known.
 */
export function supersession(next: Subscription, current: Subscription | null): Verdict {
  if (current === null || current.id === next.id) return 'takes-over'
  if (isLive(next)) return isLive(current) ? 'rival' : 'takes-over'
  return !isLive(current) && isYounger(next, current) ? 'takes-over' : 'superseded'
}

/** The same subscription after it ended. */
export function ended(subscription: Subscription): Subscription {
  return { ...subscription, status: 'canceled', cancelAtPeriodEnd: false, overdueSince: null }
}

/** How long after the end of a period to check whether a cancelled subscription ended, in milliseconds. */
const endSlackMs = 60_000

/**
 * The subscription after a refresh. While it stays overdue the first missed payment counts: another one does not
 * restart the grace period.
 */
export function continued(next: Subscription, known: Subscription | null): Subscription {
  if (known?.id !== next.id || known.status !== 'past_due' || next.status !== 'past_due') return next
  const since = [known.overdueSince, next.overdueSince].filter((time) => time !== null)
  const first = Math.min(...since.map((time) => time.getTime()))
  return { ...next, overdueSince: since.length === 0 ? null : new Date(first) }
}

/** When to recheck a subscription without an event; `null` if nothing is due by itself. */
export function nextRecheck(subscription: Subscription | null, now: Date): Date | null {
  if (subscription === null) return null
  const grace = graceEnd(subscription)
  if (grace !== null) return now < grace ? grace : null
  if (!isLive(subscription) || !subscription.cancelAtPeriodEnd) return null
  const end = new Date(subscription.currentPeriodEnd.getTime() + endSlackMs)
  return now < end ? end : new Date(now.getTime() + endSlackMs)
}

/** Whether two states of one subscription are the same. */
export function sameSubscription(one: Subscription, other: Subscription): boolean {
  return (
    one.id === other.id &&
    one.status === other.status &&
    one.interval === other.interval &&
    one.cancelAtPeriodEnd === other.cancelAtPeriodEnd &&
    one.currentPeriodEnd.getTime() === other.currentPeriodEnd.getTime() &&
    one.overdueSince?.getTime() === other.overdueSince?.getTime()
  )
}

/** 404: there is no subscription to cancel, resume or manage. */
export function noSubscription(): DomainError {
  return new DomainError('not-found', 'not_found', 'You have no subscription. Start a checkout first.')
}

/** 409: the account would pay for a second subscription. */
export function alreadySubscribed(whose: 'account' | 'email'): DomainError {
  const message =
    whose === 'account'
      ? 'You already have a subscription. Manage it in the portal.'
      : 'Another account with your email address already has a subscription. Sign in to that account.'
  return new DomainError('conflict', 'already_subscribed', message)
}
