import type { CheckoutId, CustomerId, SubscriptionId } from './ids.js'

/** What a signed event of the payment provider says has happened, which is only a reason to look. */
export interface ProviderEvent {
  /** The provider's; the same when the event is sent again. */
  readonly id: string
  /** The provider's name for what happened, for logs. */
  readonly type: string
  /** False for an event of the provider's test mode where the real one is used, or the other way round. */
  readonly modeMatches: boolean
  readonly customerId: CustomerId | null
  /** The subscription that may have changed; `null` where the event is about something else. */
  readonly subscriptionId: SubscriptionId | null
  /** The checkout that is over, paid or not; `null` where the event is about something else. */
  readonly checkoutId: CheckoutId | null
}
