import { DomainError } from '#libs/core/domain-error.js'
import type { PlanName } from '#shared/core/plan.js'
import type { CustomerId, SubscriptionId } from './ids.js'

/** How often a subscription is paid. */
export type BillingInterval = 'month' | 'year'

/** What a period costs. */
export interface Price {
  readonly interval: BillingInterval
  /** ISO 4217, in lower case. */
  readonly currency: string
  /** In the currency's smallest unit. */
  readonly amountMinor: number
}

/**
 * Where a subscription stands: `incomplete` until its first payment, `past_due` while a later one is overdue and tried
 * again, `unpaid` when that was given up but the subscription stays, `paused` by hand, `canceled` for ever.
 */
export type SubscriptionStatus =
  | 'incomplete'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'

/** A subscription as the payment provider knew it when it was asked. */
export interface Subscription {
  readonly id: SubscriptionId
  readonly customerId: CustomerId
  readonly status: SubscriptionStatus
  readonly interval: BillingInterval
  readonly startedAt: Date
  readonly currentPeriodEnd: Date
  readonly cancelAtPeriodEnd: boolean
  /** Since when a payment is overdue; `null` when none is. */
  readonly overdueSince: Date | null
}

/** How long an overdue payment leaves Pro in place, in milliseconds. */
export const graceMs = 7 * 86_400_000

/** Whether the subscription goes on, so that its owner must not begin another. */
export function isLive({ status }: Pick<Subscription, 'status'>): boolean {
  return status !== 'incomplete' && status !== 'canceled'
}

/** When the grace of an overdue payment ends; `null` when none is overdue. */
function graceEnd({ status, overdueSince }: Subscription): Date | null {
  return status === 'past_due' && overdueSince !== null ? new Date(overdueSince.getTime() + graceMs) : null
}

/** The plan that a subscription gives its owner at this moment. */
export function planOf(subscription: Subscription | null, now: Date): PlanName {
  if (subscription === null) return 'free'
  if (subscription.status === 'active' || subscription.status === 'trialing') return 'pro'
  const end = graceEnd(subscription)
  return end !== null && now < end ? 'pro' : 'free'
}

/** What becomes of a subscription beside the one that its account has. */
export type Verdict =
  /** It is the account's from now on, or was already. */
  | 'takes-over'
  /** It ended, and another came after it. */
  | 'superseded'
  /** Both go on, and nobody pays twice. */
  | 'rival'

function isYounger(one: Subscription, other: Subscription): boolean {
  const difference = one.startedAt.getTime() - other.startedAt.getTime()
  return difference === 0 ? one.id > other.id : difference > 0
}

/**
 * Judges a subscription against the account's: one that goes on takes the place of one that does not, and of two that
 * do not the younger counts, in whatever order they become known.
 */
export function judge(next: Subscription, current: Subscription | null): Verdict {
  if (current === null || current.id === next.id) return 'takes-over'
  if (isLive(next)) return isLive(current) ? 'rival' : 'takes-over'
  return !isLive(current) && isYounger(next, current) ? 'takes-over' : 'superseded'
}

/** The same subscription after it ended. */
export function ended(subscription: Subscription): Subscription {
  return { ...subscription, status: 'canceled', cancelAtPeriodEnd: false, overdueSince: null }
}

/** How long after the end of a period the provider is asked whether a cancelled subscription ended, in milliseconds. */
const endSlackMs = 60_000

/**
 * What is known of a subscription after the provider told it anew. While it stays overdue the first missed payment
 * counts: another one does not begin another grace.
 */
export function continued(next: Subscription, known: Subscription | null): Subscription {
  if (known?.id !== next.id || known.status !== 'past_due' || next.status !== 'past_due') return next
  const since = [known.overdueSince, next.overdueSince].filter((time) => time !== null)
  const first = Math.min(...since.map((time) => time.getTime()))
  return { ...next, overdueSince: since.length === 0 ? null : new Date(first) }
}

/** When a subscription should be looked at though no event came; `null` when nothing is due by itself. */
export function nextLook(subscription: Subscription | null, now: Date): Date | null {
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

/** 404: there is nothing that could be cancelled, resumed or managed. */
export function noSubscription(): DomainError {
  return new DomainError('not-found', 'not_found', 'You have no subscription. Start a checkout first.')
}

/** 409: another subscription would be paid beside the one that there is. */
export function alreadySubscribed(whose: 'account' | 'email'): DomainError {
  const message =
    whose === 'account'
      ? 'You already have a subscription. Manage it in the portal.'
      : 'Another account with your email address already has a subscription. Sign in to that account.'
  return new DomainError('conflict', 'already_subscribed', message)
}
