import type { StoredResponse } from '#libs/core/stored-response.js'
import { type MemoryAuditOutbox, memoryAuditOutbox } from '#shared/testing/memory-audit-log.js'
import type { BillingAccount } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import type { PlanDelivery } from '../domain/manual-plan.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { EventOutcome } from '../ports.js'

/** A stored account and its revision. */
export interface KeptAccount {
  account: BillingAccount
  revision: number
  recheckAt: Date | null
  /** When each duplicate subscription is due, in milliseconds. */
  readonly unwantedDue: Map<string, number>
}

/** An item of a queue. */
export interface Waiting {
  dueMs: number
  attempts: number
}

/** All state of billing in memory, with a clock that moves only on demand. */
export interface MemoryState {
  nowMs: number
  readonly accounts: Map<AccountId, KeptAccount>
  readonly events: Map<
    string,
    Waiting & { readonly event: ProviderEvent; outcome: EventOutcome | null; finishedMs: number }
  >
  readonly deliveries: Map<string, Waiting & { readonly delivery: PlanDelivery }>
  readonly responses: Map<string, { readonly stored: StoredResponse; readonly storedMs: number }>
  reconcileMs: number
  readonly erased: Set<AccountId>
  readonly audit: MemoryAuditOutbox
}

/** An empty state. */
export function memoryState(nowMs: number): MemoryState {
  const state: MemoryState = {
    nowMs,
    accounts: new Map(),
    events: new Map(),
    deliveries: new Map(),
    responses: new Map(),
    reconcileMs: nowMs,
    erased: new Set(),
    audit: memoryAuditOutbox(() => new Date(state.nowMs), 'billing'),
  }
  return state
}

/** The first `count` due items, leased for `leaseMs`. */
export function claimWaiting<T extends Waiting>(
  state: MemoryState,
  items: Iterable<T>,
  count: number,
  leaseMs: number,
): readonly T[] {
  const due = [...items].filter(({ dueMs }) => dueMs <= state.nowMs)
  const claimed = due.sort((one, other) => one.dueMs - other.dueMs).slice(0, count)
  for (const item of claimed) item.dueMs = state.nowMs + leaseMs
  return claimed
}
