import type { PlanName } from '#shared/core/plan.js'
import { type Checkout, closed } from './checkout.js'
import type { AccountId, CheckoutId, CustomerId, SubscriptionId } from './ids.js'
import { inForce, type ManualPlan } from './manual-plan.js'
import { continued, isLive, planOf, type Subscription } from './subscription.js'

/** An account in billing. */
export interface BillingAccount {
  readonly id: AccountId
  /** `null` until its first checkout. */
  readonly customerId: CustomerId | null
  /** The verified address of its latest checkout, from `emailKey`; `null` for none. */
  readonly emailKey: string | null
  readonly plan: PlanName
  /** Grows with every change of the plan; 0 before the first. */
  readonly planVersion: number
  /** The current subscription; `null` if there never was one. */
  readonly subscription: Subscription | null
  /** Gives Pro as well as a subscription does; `null` if there is none in force. */
  readonly manualPlan: ManualPlan | null
  readonly checkout: Checkout | null
  /** Duplicates that were paid in addition to an ongoing subscription, until they are refunded. */
  readonly unwanted: readonly SubscriptionId[]
}

/**
 * The account with this manual plan instead of an earlier one, or without any. A new manual plan counts as a change of the plan even
 * if the plan stays the same, so that its owner is told.
 */
export function withManualPlan(
  account: BillingAccount,
  manualPlan: ManualPlan | null,
  now: Date,
): BillingAccount {
  const changed = withSubscription({ ...account, manualPlan }, account.subscription, now)
  if (manualPlan === null || changed.planVersion > account.planVersion) return changed
  return { ...changed, planVersion: account.planVersion + 1 }
}

/** The account with this subscription, and the resulting plan; an ongoing one ends the checkout. */
export function withSubscription(
  account: BillingAccount,
  next: Subscription | null,
  now: Date,
): BillingAccount {
  const subscription = next === null ? null : continued(next, account.subscription)
  const manualPlan = inForce(account.manualPlan, now)
  const plan = manualPlan === null ? planOf(subscription, now) : 'pro'
  const { checkout } = account
  return {
    ...account,
    subscription,
    manualPlan,
    plan,
    planVersion: account.planVersion + (plan === account.plan ? 0 : 1),
    checkout:
      checkout !== null && subscription !== null && isLive(subscription) ? closed(checkout) : checkout,
  }
}

/** The account after this checkout ended; the same value if it was not its latest. */
export function withoutCheckout(account: BillingAccount, id: CheckoutId): BillingAccount {
  const { checkout } = account
  if (checkout?.state !== 'open' || checkout.id !== id) return account
  return { ...account, checkout: closed(checkout) }
}

/** The account with one more duplicate to refund. */
export function withUnwanted(account: BillingAccount, id: SubscriptionId): BillingAccount {
  if (account.unwanted.includes(id)) return account
  return { ...account, unwanted: [...account.unwanted, id] }
}

/** The account after this duplicate was refunded. */
export function withoutUnwanted(account: BillingAccount, id: SubscriptionId): BillingAccount {
  return { ...account, unwanted: account.unwanted.filter((one) => one !== id) }
}
