import type { StoredResponse } from '#libs/core/stored-response.js'
import type { AuditEntryDraft, AuditOutbox, OperatorDecision, QueueState } from '#shared/core/audit-entry.js'
import type { BillingAccount } from './domain/billing-account.js'
import type { AccountId, CheckoutId, CustomerId, SubscriptionId } from './domain/ids.js'
import type { PlanDelivery } from './domain/manual-plan.js'
import type { ProviderEvent } from './domain/provider-event.js'
import type { BillingInterval, Price, Subscription } from './domain/subscription.js'

/** A checkout page of the provider. */
export interface CheckoutSession {
  readonly id: CheckoutId
  readonly url: string
  /** When it can no longer be paid. */
  readonly expiresAt: Date
}

/** The content of a checkout: price, payer and return URLs. */
export interface CheckoutOrder {
  readonly accountId: AccountId
  readonly customerId: CustomerId
  readonly interval: BillingInterval
  readonly successUrl: string
  readonly cancelUrl: string
}

/**
 * Takes payments. Calls with the same idempotency key have one effect and the same result within a day, even
 * if a response was lost; a different request with a used key fails. Every function ends within a few
 * seconds.
 * @throws DomainError `unavailable` from each of them if the provider cannot be reached, fails or takes too
 * long; the call may then have had its effect.
 */
export interface PaymentProvider {
  /** The monthly and yearly price of Pro; an interval that is not on sale is missing. */
  prices(): Promise<readonly Price[]>
  /** Creates a customer for the account. */
  createCustomer(accountId: AccountId, email: string | null, idempotencyKey: string): Promise<CustomerId>
  startCheckout(order: CheckoutOrder, idempotencyKey: string): Promise<CheckoutSession>
  /** Closes a checkout unless it was paid; returns whether it was paid. An unknown one counts as closed. */
  closeCheckout(id: CheckoutId): Promise<{ readonly paid: boolean }>
  /** The URL of a page where the customer sees invoices and changes the payment method. */
  openPortal(customerId: CustomerId, returnUrl: string): Promise<string>
  /** The current subscription, or `null` if there is none with this id or it is not for Pro. */
  findSubscription(id: SubscriptionId): Promise<Subscription | null>
  /** Every subscription for Pro, including ended ones, in no order. */
  allSubscriptions(): AsyncIterable<Subscription>
  /**
   * Makes a subscription end with its period, or continue after all; returns its new state.
   * @throws DomainError `not_found` if it has ended or does not exist.
   */
  setCancelAtPeriodEnd(id: SubscriptionId, cancel: boolean): Promise<Subscription>
  /** Ends a subscription at once, without a refund; does nothing if it has ended or does not exist. */
  endSubscription(id: SubscriptionId): Promise<void>
  /**
   * Deletes a customer with everything that identifies the person, and ends all of its subscriptions. Invoices stay with
   * the provider. Does nothing for an unknown one.
   */
  deleteCustomer(id: CustomerId): Promise<void>
  /** Ends a subscription at once and refunds everything that was paid for it; safe to repeat. */
  undoSubscription(id: SubscriptionId): Promise<void>
}

/** Reads events from the provider. */
export interface ProviderEvents {
  /**
   * The event in these bytes.
   * @param signature the header that came with them.
   * @throws DomainError `invalid_signature` if the provider did not sign them within 300 s of now.
   */
  read(body: Uint8Array, signature: string | undefined): ProviderEvent
}

/** The account with a subscription. */
export interface Subscriber {
  readonly accountId: AccountId
  readonly subscriptionId: SubscriptionId
}

/** The outcome of a change to an account. */
export type Updated =
  | { readonly state: 'saved'; readonly account: BillingAccount }
  /** Nothing was changed, because another account with the same e-mail address has an ongoing subscription. */
  | { readonly state: 'email-taken'; readonly by: Subscriber }

/** Stores billing's accounts. Its clock decides what is due. */
export interface BillingAccountStore {
  /** The account; an unknown one is on Free. */
  find(id: AccountId): Promise<BillingAccount>
  /** The account of a customer, or `null`. */
  accountOf(customerId: CustomerId): Promise<AccountId | null>
  /** The account with an ongoing subscription and this e-mail address, or `null`. */
  subscriberWith(emailKey: string): Promise<Subscriber | null>
  /**
   * Saves the result of `change` together with the deliveries of a changed plan, unless it returns the same value.
   * `change` may be slow, and runs again on the newer account after a conflict, so its calls must be safe to repeat.
   * `by` is recorded for the audit log in the same step, and tells the owner of a new manual plan.
   * @throws DomainError what `change` throws; `unavailable` after repeated conflicts.
   */
  update(
    id: AccountId,
    change: (account: BillingAccount, now: Date) => Promise<BillingAccount> | BillingAccount,
    by?: { readonly draft: AuditEntryDraft; readonly decision: OperatorDecision } | null,
  ): Promise<Updated>
  /** Up to `2 × count` accounts whose subscription or manual plan is due for a recheck, leased for `leaseMs`. */
  claimDue(count: number, leaseMs: number): Promise<readonly AccountId[]>
  /** Up to `count` duplicates to refund, leased for `leaseMs`. */
  claimUnwanted(count: number, leaseMs: number): Promise<readonly Subscriber[]>
  /**
   * Deletes everything of an erased account in one step, after which no write for it succeeds. Safe to repeat.
   */
  erase(id: AccountId): Promise<void>
  /** All accounts with an ongoing subscription, in no order. */
  subscribers(): Promise<readonly Subscriber[]>
}

/** What operators see of payments as a whole. */
export interface PaymentFigures {
  readonly queues: readonly QueueState[]
  /** `null` before the first event. */
  readonly lastEventAt: Date | null
  /** Of the last 30 days. */
  readonly wrongModeEvents: number
  readonly pastDueSubscriptions: number
  readonly liveSubscriptions: number
  readonly waitingRefunds: number
  readonly planGrants: number
}

/** What operators see besides accounts. */
export interface BillingOversight {
  figures(): Promise<PaymentFigures>
}

/** Stores the provider's events until they are processed, and recognizes them for another 30 days. */
export interface EventLog {
  /** Stores an event durably; false if it was already known. */
  record(event: ProviderEvent): Promise<boolean>
  /** Up to `count` events to process, leased for `leaseMs`. */
  claim(count: number, leaseMs: number): Promise<readonly ProviderEvent[]>
  /** Records that an event was processed, and its outcome. */
  finish(id: string, outcome: EventOutcome): Promise<void>
  /** Schedules a retry of an event, with exponential backoff. */
  postpone(id: string): Promise<void>
  /** Deletes events that were processed more than 30 days ago, in batches until the signal is aborted; returns how many. */
  forgetOld(signal: AbortSignal): Promise<number>
}

/** The outcome of an event. */
export type EventOutcome =
  | 'applied'
  /** It changes no plan. */
  | 'ignored'
  /** It is about an unknown customer. */
  | 'foreign'
  | 'wrong-mode'

/** Plan deliveries, written with the change that caused them. */
export interface PlanOutbox {
  /** Up to `count` due deliveries, leased for `leaseMs`; for each account and receiver only the oldest. */
  claim(count: number, leaseMs: number): Promise<readonly PlanDelivery[]>
  /** Removes a completed delivery. */
  finish(delivery: PlanDelivery): Promise<void>
  /** Schedules a retry of a delivery, with exponential backoff up to a minute. */
  postpone(delivery: PlanDelivery): Promise<void>
}

/** Delivers plans to the services that act on them. */
export interface PlanNotifier {
  /**
   * Delivers a plan to one receiver; safe to repeat.
   * @throws DomainError if it could not be delivered.
   */
  notify(delivery: PlanDelivery): Promise<void>
}

/** Schedules the daily reconciliation, once a day for all processes together. */
export interface ReconciliationSchedule {
  /** Whether it is due and leased to the caller for `leaseMs`. */
  claim(leaseMs: number): Promise<boolean>
  /** Records that it is done for today. */
  finish(): Promise<void>
}

/** Stores responses by idempotency key for a day. */
export interface IdempotencyStore {
  /** The response for this key of an account; `null` for none, or an expired one. */
  find(accountId: AccountId, key: string): Promise<StoredResponse | null>
  /** Stores a response unless there is one; returns the stored one. */
  store(accountId: AccountId, key: string, stored: StoredResponse): Promise<StoredResponse>
  /** Deletes expired responses until the signal is aborted; returns how many. */
  deleteExpired(signal: AbortSignal): Promise<number>
}

/** All dependencies of billing. */
export interface BillingPorts {
  readonly accounts: BillingAccountStore
  readonly provider: PaymentProvider
  readonly providerEvents: ProviderEvents
  readonly eventLog: EventLog
  readonly idempotency: IdempotencyStore
  readonly outbox: PlanOutbox
  readonly auditOutbox: AuditOutbox
  readonly notifier: PlanNotifier
  readonly reconciliation: ReconciliationSchedule
  readonly oversight: BillingOversight
}
