import { DomainError } from '#libs/core/domain-error.js'
import type { PlanName } from '#libs/core/plan.js'
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
export function graceEnd({ status, overdueSince }: Subscription): Date | null {
  return status === 'past_due' && overdueSince !== null ? new Date(overdueSince.getTime() + graceMs) : null
}

/** The plan that a subscription gives its owner at this moment. */
export function planOf(subscription: Subscription | null, now: Date): PlanName {
  if (subscription === null) return 'free'
  if (subscription.status === 'active' || subscription.status === 'trialing') return 'pro'
  const end = graceEnd(subscription)
  return end !== null && now < end ? 'pro' : 'free'
}

/**
 * Whether `next` takes the place of `current` as the account's subscription: it is the same one, nothing was there, or it
 * goes on while `current` does not, or is younger where neither does. What ended long ago never displaces what came
 * after it.
 */
export function succeeds(next: Subscription, current: Subscription | null): boolean {
  if (current === null || current.id === next.id) return true
  if (isLive(current) !== isLive(next)) return isLive(next)
  return !isLive(next) && next.startedAt > current.startedAt
}

/** 404: there is nothing that could be cancelled, resumed or managed. */
export function noSubscription(): DomainError {
  return new DomainError('not-found', 'not_found', 'There is no subscription.')
}

/** 409: another subscription would be paid beside the one that there is. */
export function alreadySubscribed(whose: 'account' | 'email'): DomainError {
  const message =
    whose === 'account'
      ? 'This account is subscribed already; the portal shows and changes the subscription.'
      : 'Another account with your e-mail address is subscribed already; sign in with that one.'
  return new DomainError('conflict', 'already_subscribed', message)
}
