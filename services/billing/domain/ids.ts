import type { Branded } from '#libs/core/branded.js'

/** Names an account, as identity made it; opaque. */
export type AccountId = Branded<string, 'AccountId'>

/** Names an account at the payment provider. */
export type CustomerId = Branded<string, 'CustomerId'>

/** Names a subscription at the payment provider. */
export type SubscriptionId = Branded<string, 'SubscriptionId'>

/** Names a checkout at the payment provider. */
export type CheckoutId = Branded<string, 'CheckoutId'>

/** An account id, as it comes from storage or from another process. */
export function accountId(text: string): AccountId {
  return text as AccountId
}

/** A customer id, as the provider or storage gives it. */
export function customerId(text: string): CustomerId {
  return text as CustomerId
}

/** A subscription id, as the provider or storage gives it. */
export function subscriptionId(text: string): SubscriptionId {
  return text as SubscriptionId
}

/** A checkout id, as the provider or storage gives it. */
export function checkoutId(text: string): CheckoutId {
  return text as CheckoutId
}
