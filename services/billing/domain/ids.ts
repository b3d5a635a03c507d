import type { Branded } from '#libs/core/branded.js'

/** An account id from identity; opaque. */
export type AccountId = Branded<string, 'AccountId'>

/** The id of a customer at the payment provider. */
export type CustomerId = Branded<string, 'CustomerId'>

/** The id of a subscription at the payment provider. */
export type SubscriptionId = Branded<string, 'SubscriptionId'>

/** The id of a checkout at the payment provider. */
export type CheckoutId = Branded<string, 'CheckoutId'>

/** An account id from storage or from another process. */
export function accountId(text: string): AccountId {
  return text as AccountId
}

/** A customer id from the provider or storage. */
export function customerId(text: string): CustomerId {
  return text as CustomerId
}

/** A subscription id from the provider or storage. */
export function subscriptionId(text: string): SubscriptionId {
  return text as SubscriptionId
}

/** A checkout id from the provider or storage. */
export function checkoutId(text: string): CheckoutId {
  return text as CheckoutId
}
