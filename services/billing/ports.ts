import type { AccountId, CheckoutId, CustomerId, SubscriptionId } from './domain/ids.js'
import type { ProviderEvent } from './domain/provider-event.js'
import type { BillingInterval, Price, Subscription } from './domain/subscription.js'

/** A page of the provider's where a subscription is paid. */
export interface CheckoutSession {
  readonly id: CheckoutId
  readonly url: string
  /** Until when it can be paid. */
  readonly expiresAt: Date
}

/** What is to be paid, by whom, and where the payer goes afterwards. */
export interface CheckoutOrder {
  readonly accountId: AccountId
  readonly customerId: CustomerId
  readonly interval: BillingInterval
  readonly successUrl: string
  readonly cancelUrl: string
}

/**
 * Takes payments. Calls with the same idempotency key have one effect and the same result within a day, also when an
 * answer was lost. Every function ends within a few seconds.
 * @throws DomainError `unavailable` from each of them when the provider cannot be reached, fails or takes too long; what
 * was asked may then have happened.
 */
export interface PaymentProvider {
  /** What Pro costs by month and by year; an interval that is not on sale is missing. */
  prices(signal?: AbortSignal): Promise<readonly Price[]>
  /** Makes a customer for the account. */
  createCustomer(accountId: AccountId, email: string | null, idempotencyKey: string): Promise<CustomerId>
  startCheckout(order: CheckoutOrder, idempotencyKey: string): Promise<CheckoutSession>
  /** Closes a checkout unless it was paid; whether it was paid. An unknown one is closed. */
  closeCheckout(id: CheckoutId): Promise<{ readonly paid: boolean }>
  /** The address of a page where the customer sees invoices and changes the means of payment. */
  openPortal(customerId: CustomerId, returnUrl: string): Promise<string>
  /** The subscription as it is now, or `null` when there is none of this id. */
  findSubscription(id: SubscriptionId): Promise<Subscription | null>
  /** Every subscription, ended ones too, in no order. */
  allSubscriptions(): AsyncIterable<Subscription>
  /** Lets a subscription end with its period, or go on after all; as it is afterwards. */
  setCancelAtPeriodEnd(id: SubscriptionId, cancel: boolean): Promise<Subscription>
  /** Ends a subscription at once and gives everything back that was paid for it; repeating it changes nothing. */
  undoSubscription(id: SubscriptionId): Promise<void>
}

/** Reads what the provider sends by itself. */
export interface ProviderEvents {
  /**
   * The event in these bytes.
   * @param signature the header that came with them.
   * @throws DomainError `invalid_signature` when they were not signed by the provider within 300 s of now.
   */
  read(body: Uint8Array, signature: string | undefined): ProviderEvent
}
