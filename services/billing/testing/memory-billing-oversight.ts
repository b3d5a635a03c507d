import { isLive } from '../domain/subscription.js'
import type { BillingOversight } from '../ports.js'
import type { MemoryState, Waiting } from './memory-state.js'

/** What operators see of payments, in memory, for tests. */
export function memoryBillingOversight(state: MemoryState): BillingOversight {
  const queue = (name: string, items: readonly Waiting[]) => ({
    name,
    waiting: items.length,
    failing: items.filter(({ attempts }) => attempts > 0).length,
    oldestAt: items.length === 0 ? null : new Date(Math.min(...items.map(({ dueMs }) => dueMs))),
  })
  return {
    async figures() {
      const events = [...state.events.values()]
      const accounts = [...state.accounts.values()].map(({ account }) => account)
      const subscriptions = accounts.flatMap(({ subscription }) => subscription ?? [])
      return {
        queues: [
          queue('plan_deliveries', [...state.deliveries.values()]),
          queue(
            'provider_events',
            events.filter(({ outcome }) => outcome === null),
          ),
          queue('audit_entries', state.audit.waiting()),
        ],
        lastEventAt: events.length === 0 ? null : new Date(Math.max(...events.map(({ dueMs }) => dueMs))),
        wrongModeEvents: events.filter(({ outcome }) => outcome === 'wrong-mode').length,
        pastDueSubscriptions: subscriptions.filter(({ status }) => status === 'past_due').length,
        liveSubscriptions: subscriptions.filter(isLive).length,
        waitingRefunds: accounts.reduce((sum, { unwanted }) => sum + unwanted.length, 0),
        planGrants: accounts.filter(({ manualPlan }) => manualPlan !== null).length,
      }
    },
  }
}
