import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { EventLog, IdempotencyStore, PlanOutbox, ReconciliationSchedule } from '../ports.js'
import { claimWaiting, type MemoryState } from './memory-state.js'

const monthMs = 30 * 86_400_000
const dayMs = 86_400_000

export function memoryEventLog(state: MemoryState): EventLog {
  const { events } = state
  return {
    async record(event) {
      if (events.has(event.id)) return false
      events.set(event.id, { event, dueMs: state.nowMs, attempts: 0, outcome: null, finishedMs: 0 })
      return true
    },
    async claim(count, leaseMs) {
      const waiting = [...events.values()].filter(({ outcome }) => outcome === null)
      return claimWaiting(state, waiting, count, leaseMs).map(({ event }) => event)
    },
    async finish(id, outcome) {
      const kept = events.get(id)
      if (kept?.outcome === null) Object.assign(kept, { outcome, finishedMs: state.nowMs })
    },
    async postpone(id) {
      const kept = events.get(id)
      if (kept?.outcome !== null) return
      kept.dueMs = state.nowMs + Math.min(2 ** kept.attempts, 300) * 1_000
      kept.attempts += 1
    },
    async forgetOld() {
      const old = [...events].filter(
        ([, { outcome, finishedMs }]) => outcome !== null && finishedMs < state.nowMs - monthMs,
      )
      for (const [id] of old) events.delete(id)
      return old.length
    },
  }
}

export function memoryPlanOutbox(state: MemoryState): PlanOutbox {
  const { deliveries } = state
  const keyOf = ({
    accountId,
    receiver,
    version,
  }: {
    accountId: string
    receiver: string
    version: number
  }) => `${accountId} ${receiver} ${version}`
  return {
    async claim(count, leaseMs) {
      const oldest = [...deliveries.values()].filter(({ delivery }) =>
        [...deliveries.values()].every(
          ({ delivery: other }) =>
            other.accountId !== delivery.accountId ||
            other.receiver !== delivery.receiver ||
            other.version >= delivery.version,
        ),
      )
      return claimWaiting(state, oldest, count, leaseMs).map(({ delivery }) => delivery)
    },
    async finish(delivery) {
      deliveries.delete(keyOf(delivery))
    },
    async postpone(delivery) {
      const kept = deliveries.get(keyOf(delivery))
      if (kept === undefined) return
      kept.dueMs = state.nowMs + Math.min(0.25 * 2 ** kept.attempts, 60) * 1_000
      kept.attempts += 1
    },
  }
}

/** The time of the next reconciliation, in memory. */
export function memoryReconciliationSchedule(state: MemoryState): ReconciliationSchedule {
  return {
    async claim(leaseMs) {
      if (state.reconcileMs > state.nowMs) return false
      state.reconcileMs = state.nowMs + leaseMs
      return true
    },
    async finish() {
      const three = 3 * 3_600_000
      state.reconcileMs = Math.floor((state.nowMs - three) / dayMs) * dayMs + dayMs + three
    },
  }
}

/** Responses by idempotency key, in memory. */
export function memoryIdempotencyStore(state: MemoryState): IdempotencyStore {
  const { responses } = state
  const current = (key: string) => {
    const found = responses.get(key)
    return found !== undefined && found.storedMs + idempotencyKeyLifeMs > state.nowMs ? found.stored : null
  }
  return {
    find: async (accountId, key) => current(`${accountId} ${key}`),
    async store(accountId, key, stored) {
      const known = current(`${accountId} ${key}`)
      if (known === null) responses.set(`${accountId} ${key}`, { stored, storedMs: state.nowMs })
      return known ?? stored
    },
    async deleteExpired() {
      const expired = [...responses.keys()].filter((key) => current(key) === null)
      for (const key of expired) responses.delete(key)
      return expired.length
    },
  }
}
