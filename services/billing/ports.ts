import type { StoredResponse } from '#libs/core/stored-response.js'
import type { BillingAccount } from './domain/billing-account.js'
import type { AccountId, CheckoutId, CustomerId, SubscriptionId } from './domain/ids.js'
import type { PlanDelivery } from './domain/plan-change.js'
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
 * response was lost; a different request with a used key fails. Every function ends within a few seconds.
 * @throws DomainError `unavailable` from each of them when the provider cannot be reached, fails or takes too long; what
 * was asked may then have happened.
 */
export interface PaymentProvider {
  /** What Pro costs by month and by year; an interval that is not on sale is missing. */
  prices(): Promise<readonly Price[]>
  /** Makes a customer for the account. */
  createCustomer(accountId: AccountId, email: string | null, idempotencyKey: string): Promise<CustomerId>
  startCheckout(order: CheckoutOrder, idempotencyKey: string): Promise<CheckoutSession>
  /** Closes a checkout unless it was paid; whether it was paid. An unknown one is closed. */
  closeCheckout(id: CheckoutId): Promise<{ readonly paid: boolean }>
  /** The address of a page where the customer sees invoices and changes the means of payment. */
  openPortal(customerId: CustomerId, returnUrl: string): Promise<string>
  /** The subscription as it is now, or `null` when there is none of this id or it is for something else than Pro. */
  findSubscription(id: SubscriptionId): Promise<Subscription | null>
  /** Every subscription for Pro, ended ones too, in no order. */
  allSubscriptions(): AsyncIterable<Subscription>
  /**
   * Lets a subscription end with its period, or go on after all; as it is afterwards.
   * @throws DomainError `not_found` when it has ended, or there is none of this id.
   */
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

/** Who holds a subscription. */
export interface Subscriber {
  readonly accountId: AccountId
  readonly subscriptionId: SubscriptionId
}

/** What became of a change to an account. */
export type Updated =
  | { readonly state: 'saved'; readonly account: BillingAccount }
  /** Nothing was changed, as another account's subscription with the same e-mail address goes on. */
  | { readonly state: 'email-taken'; readonly by: Subscriber }

/** Keeps what billing knows of accounts. Its clock decides what is due. */
export interface BillingAccountStore {
  /** The account; one of which nothing is known is on Free. */
  find(id: AccountId): Promise<BillingAccount>
  /** Whose customer this is, or `null`. */
  accountOf(customerId: CustomerId): Promise<AccountId | null>
  /** Who has a subscription that goes on with this e-mail address, or `null`. */
  subscriberWith(emailKey: string): Promise<Subscriber | null>
  /**
   * Saves what `change` makes of the account, in one step with the deliveries of a changed plan, unless it gives back
   * the very value. `change` may take its time, and runs again on the newer account when somebody else was faster, so
   * what it asks of others must be safe to repeat.
   * @throws DomainError what `change` throws; `unavailable` when others were faster again and again.
   */
  update(
    id: AccountId,
    change: (account: BillingAccount, now: Date) => Promise<BillingAccount> | BillingAccount,
  ): Promise<Updated>
  /** Up to `count` accounts whose subscription should be looked at now; nobody else gets them for `leaseMs`. */
  claimDue(count: number, leaseMs: number): Promise<readonly AccountId[]>
  /** Up to `count` subscriptions that are to be undone; nobody else gets them for `leaseMs`. */
  claimUnwanted(count: number, leaseMs: number): Promise<readonly Subscriber[]>
  /** Everybody whose subscription goes on, in no order. */
  subscribers(): Promise<readonly Subscriber[]>
}

/** Keeps the events of the provider until they are processed, and recognizes them for 30 days after. */
export interface EventLog {
  /** Keeps an event durably; false when it was known. */
  record(event: ProviderEvent): Promise<boolean>
  /** Up to `count` events that are to be worked off; nobody else gets them for `leaseMs`. */
  claim(count: number, leaseMs: number): Promise<readonly ProviderEvent[]>
  /** Notes that an event was processed, and its outcome. */
  finish(id: string, outcome: EventOutcome): Promise<void>
  /** Has an event come again later, ever later the more often. */
  postpone(id: string): Promise<void>
  /** Forgets what was worked off more than 30 days ago; how many they were. */
  forgetOld(): Promise<number>
}

/** What came of an event. */
export type EventOutcome =
  | 'applied'
  /** About something that changes no plan. */
  | 'ignored'
  /** About a customer of somebody else's. */
  | 'foreign'
  | 'wrong-mode'

/** Plans to be delivered, written with the change that made them. */
export interface PlanOutbox {
  /**
   * Up to `count` deliveries that are due; of one account and receiver only the oldest. Nobody else gets them for
   * `leaseMs`.
   */
  claim(count: number, leaseMs: number): Promise<readonly PlanDelivery[]>
  /** Removes what was delivered. */
  finish(delivery: PlanDelivery): Promise<void>
  /** Has a delivery come again later, ever later the more often, a minute at most. */
  postpone(delivery: PlanDelivery): Promise<void>
}

/** Delivers plans to the services that act on them. */
export interface PlanNotifier {
  /**
   * Delivers a plan to one receiver; repeating it changes nothing.
   * @throws DomainError when it could not be delivered.
   */
  notify(delivery: PlanDelivery): Promise<void>
}

/** Sees to it that the daily reconciliation runs once a day, however many processes there are. */
export interface ReconciliationSchedule {
  /** Whether it is due and now the caller's to run; nobody else gets it for `leaseMs`. */
  claim(leaseMs: number): Promise<boolean>
  /** Notes that it is done for today. */
  finish(): Promise<void>
}

/** Keeps responses by idempotency key for a day. */
export interface IdempotencyStore {
  /** The response for this key of an account; `null` for none, or an expired one. */
  find(accountId: AccountId, key: string): Promise<StoredResponse | null>
  /** Stores a response unless there is one, and gives the one that counts. */
  store(accountId: AccountId, key: string, stored: StoredResponse): Promise<StoredResponse>
  /** Deletes expired responses until the signal is aborted; how many they were. */
  deleteExpired(signal: AbortSignal): Promise<number>
}

/** Everything that billing needs from outside. */
export interface BillingPorts {
  readonly accounts: BillingAccountStore
  readonly provider: PaymentProvider
  readonly providerEvents: ProviderEvents
  readonly eventLog: EventLog
  readonly idempotency: IdempotencyStore
  readonly outbox: PlanOutbox
  readonly notifier: PlanNotifier
  readonly reconciliation: ReconciliationSchedule
}
