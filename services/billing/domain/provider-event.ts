import type { CheckoutId, CustomerId, SubscriptionId } from './ids.js'

/** A signed event of the payment provider, which is only a reason to fetch the current state. */
export interface ProviderEvent {
  /** The provider's id; the same if the event is sent again. */
  readonly id: string
  /** The provider's event type, for logs. */
  readonly type: string
  /** False for a test-mode event in live mode, or the reverse. */
  readonly modeMatches: boolean
  readonly customerId: CustomerId | null
  /** The subscription that may have changed; `null` if the event is about something else. */
  readonly subscriptionId: SubscriptionId | null
  /** The checkout that ended, paid or not; `null` if the event is about something else. */
  readonly checkoutId: CheckoutId | null
}
