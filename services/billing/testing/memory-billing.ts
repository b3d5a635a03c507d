import type { BillingStores } from '../wire.js'
import type { BillingFixture } from './billing-fixture.js'
import { memoryAccountStore } from './memory-account-store.js'
import { memoryBillingOversight } from './memory-billing-oversight.js'
import {
  memoryEventLog,
  memoryIdempotencyStore,
  memoryPlanOutbox,
  memoryReconciliationSchedule,
} from './memory-queues.js'
import { type MemoryState, memoryState } from './memory-state.js'

function storesOf(state: MemoryState): BillingStores {
  return {
    accounts: memoryAccountStore(state),
    eventLog: memoryEventLog(state),
    outbox: memoryPlanOutbox(state),
    auditOutbox: state.audit,
    idempotency: memoryIdempotencyStore(state),
    reconciliation: memoryReconciliationSchedule(state),
    oversight: memoryBillingOversight(state),
  }
}

/** Billing in memory, with a clock that starts at `startMs`. */
export function memoryBilling(startMs = Date.UTC(2030, 0, 1)): BillingFixture {
  const state = memoryState(startMs)
  const fixture: BillingFixture = {
    ...storesOf(state),
    another: () => fixture,
    now: async () => new Date(state.nowMs),
    async passTime(ms) {
      state.nowMs += ms
    },
  }
  return fixture
}

/** The same stores with the real time, for a running system. */
export function runningMemoryBilling(): BillingStores {
  const state = memoryState(Date.now())
  Object.defineProperty(state, 'nowMs', { get: Date.now })
  return storesOf(state)
}
