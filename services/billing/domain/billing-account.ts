import type { PlanName } from '#shared/core/plan.js'
import { type Checkout, closed } from './checkout.js'
import type { AccountId, CheckoutId, CustomerId, SubscriptionId } from './ids.js'
import { continued, isLive, planOf, type Subscription } from './subscription.js'

/** What billing knows of an account. */
export interface BillingAccount {
  readonly id: AccountId
  /** `null` until its first checkout. */
  readonly customerId: CustomerId | null
  /** The verified address of its latest checkout, as `emailKey` gives it; `null` for none. */
  readonly emailKey: string | null
  readonly plan: PlanName
  /** Grows with every change of the plan; 0 before the first. */
  readonly planVersion: number
  /** The one that counts; `null` when there never was one. */
  readonly subscription: Subscription | null
  readonly checkout: Checkout | null
  /** Subscriptions that were paid though another one went on, until they are undone. */
  readonly unwanted: readonly SubscriptionId[]
}

/** An account that has had no business with us yet. */
export function newAccount(id: AccountId): BillingAccount {
  return {
    id,
    customerId: null,
    emailKey: null,
    plan: 'free',
    planVersion: 0,
    subscription: null,
    checkout: null,
    unwanted: [],
  }
}

/** The account with this subscription, and the plan that it gives now; one that goes on ends the checkout. */
export function withSubscription(
  account: BillingAccount,
  next: Subscription | null,
  now: Date,
): BillingAccount {
  const subscription = next === null ? null : continued(next, account.subscription)
  const plan = planOf(subscription, now)
  const { checkout } = account
  return {
    ...account,
    subscription,
    plan,
    planVersion: account.planVersion + (plan === account.plan ? 0 : 1),
    checkout:
      checkout !== null && subscription !== null && isLive(subscription) ? closed(checkout) : checkout,
  }
}

/** The account after this checkout is over; the same value when it was not its latest. */
export function withoutCheckout(account: BillingAccount, id: CheckoutId): BillingAccount {
  const { checkout } = account
  if (checkout?.state !== 'open' || checkout.id !== id) return account
  return { ...account, checkout: closed(checkout) }
}

/** The account with one more subscription that is to be undone. */
export function withUnwanted(account: BillingAccount, id: SubscriptionId): BillingAccount {
  if (account.unwanted.includes(id)) return account
  return { ...account, unwanted: [...account.unwanted, id] }
}

/** The account after this subscription was undone. */
export function withoutUnwanted(account: BillingAccount, id: SubscriptionId): BillingAccount {
  return { ...account, unwanted: account.unwanted.filter((one) => one !== id) }
}
