import type { AuditOutbox } from '#shared/core/audit-entry.js'
import { type AccountId, accountId, customerId, subscriptionId } from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { Subscription } from '../domain/subscription.js'
import type {
  BillingAccountStore,
  BillingOversight,
  EventLog,
  IdempotencyStore,
  PlanOutbox,
  ReconciliationSchedule,
} from '../ports.js'

/** Billing's stores, with a clock that can be advanced. */
export interface BillingFixture {
  readonly accounts: BillingAccountStore
  readonly eventLog: EventLog
  readonly outbox: PlanOutbox
  readonly auditOutbox: AuditOutbox
  readonly idempotency: IdempotencyStore
  readonly reconciliation: ReconciliationSchedule
  readonly oversight: BillingOversight
  /** The same stores as another process sees them. */
  another(): Pick<BillingFixture, 'accounts' | 'eventLog' | 'outbox' | 'idempotency' | 'reconciliation'>
  now(): Promise<Date>
  passTime(ms: number): Promise<void>
}

/** Two accounts for tests. */
export const ann: AccountId = accountId('ann')
/** See `ann`. */
export const bob: AccountId = accountId('bob')

/** A day, in milliseconds. */
export const dayMs = 86_400_000

/** An active subscription that started at `now`, with these fields replaced. */
export function subscriptionAt(now: Date, fields: Partial<Subscription> = {}): Subscription {
  return {
    id: subscriptionId('sub_1'),
    customerId: customerId('cus_ann'),
    status: 'active',
    interval: 'month',
    startedAt: now,
    currentPeriodEnd: new Date(now.getTime() + 30 * dayMs),
    cancelAtPeriodEnd: false,
    overdueSince: null,
    ...fields,
  }
}

/** An event about Ann's subscription, with these fields replaced. */
export function providerEvent(id: string, fields: Partial<ProviderEvent> = {}): ProviderEvent {
  return {
    id,
    type: 'customer.subscription.updated',
    modeMatches: true,
    customerId: customerId('cus_ann'),
    subscriptionId: subscriptionId('sub_1'),
    checkoutId: null,
    ...fields,
  }
}

/** A reproducible sequence of numbers from 0 to 1. */
export function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
