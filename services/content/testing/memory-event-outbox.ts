import type { EventOutbox } from '../ports.js'
import { deliveryName, type MemoryState } from './memory-state.js'

/** The event outbox in memory, for tests. */
export function memoryEventOutbox({ deliveries, now }: MemoryState): EventOutbox {
  const later = (ms: number): Date => new Date(now().getTime() + ms)
  return {
    async claim(limit, leaseMs) {
      const due = [...deliveries].filter(([, { dueAt }]) => dueAt <= now()).slice(0, limit)
      for (const [name, delivery] of due) deliveries.set(name, { ...delivery, dueAt: later(leaseMs) })
      return due.map(([, { event }]) => event)
    },
    async finish(events) {
      for (const event of events) deliveries.delete(deliveryName(event))
    },
    async postpone(events) {
      for (const event of events) {
        const known = deliveries.get(deliveryName(event))
        if (known === undefined) continue
        const ms = Math.min(250 * 2 ** Math.min(known.attempts, 10), 60_000)
        deliveries.set(deliveryName(event), { ...known, attempts: known.attempts + 1, dueAt: later(ms) })
      }
    },
  }
}
