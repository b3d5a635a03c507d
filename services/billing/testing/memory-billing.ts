import { memoryAccountStore } from '../adapters/memory-account-store.js'
import {
  memoryAnswerLog,
  memoryEventLog,
  memoryPlanOutbox,
  memoryReconciliationSchedule,
} from '../adapters/memory-queues.js'
import { memoryState } from '../adapters/memory-state.js'
import type { BillingWorld } from './billing-world.js'

/** Billing's memory, whose clock begins at `startMs`. */
export function memoryBilling(startMs = Date.UTC(2030, 0, 1)): BillingWorld {
  const state = memoryState(startMs)
  const world: BillingWorld = {
    accounts: memoryAccountStore(state),
    eventLog: memoryEventLog(state),
    outbox: memoryPlanOutbox(state),
    answers: memoryAnswerLog(state),
    reconciliation: memoryReconciliationSchedule(state),
    another: () => world,
    now: async () => new Date(state.nowMs),
    async passTime(ms) {
      state.nowMs += ms
    },
  }
  return world
}
