import {
  type AccountEvent,
  type EventDraft,
  eventsMax,
  keyExpires,
  reminders,
} from '../domain/account-event.js'
import type { EventStore } from '../ports.js'
import { accountOf, eventName, type MemoryState, newestFirst } from './memory-state.js'

const dayMs = 86_400_000

function eventsOf({ events }: MemoryState, accountId: string): AccountEvent[] {
  return [...events.values()].filter((event) => event.accountId === accountId).sort(newestFirst)
}

/** Records an event, once per id. */
export function recordIn(state: MemoryState, draft: EventDraft, knownId = draft.id): void {
  const { events, now } = state
  const id = knownId ?? String(events.size + state.eventsTrimmed()).padStart(12, '0')
  const createdAt = new Date(Math.min(draft.createdAt?.getTime() ?? Infinity, now().getTime()))
  const event = { ...draft, id, createdAt }
  const name = eventName(event)
  if (events.has(name)) return
  events.set(name, event)
  for (const old of eventsOf(state, draft.accountId).slice(eventsMax)) state.forgetEvent(old)
}

/** Events in memory, for tests. */
export function memoryEventStore(state: MemoryState): EventStore {
  const { events, apiKeys, now } = state
  const isOld = ({ accountId, createdAt }: AccountEvent, days: { free: number; pro: number }): boolean => {
    const account = accountOf(state, accountId)
    return account === undefined || createdAt.getTime() <= now().getTime() - days[account.plan] * dayMs
  }
  return {
    async list({ accountId, type, subject, after, itemsMax, days }) {
      const found = eventsOf(state, accountId).filter(
        (event) =>
          !isOld(event, days) &&
          (type === null || event.type === type || event.type.startsWith(`${type}.`)) &&
          (subject === null || event.subject.id === subject) &&
          (after === null || newestFirst({ ...event, ...after }, event) < 0),
      )
      const items = found.slice(0, itemsMax)
      return { items, next: found.length > items.length ? (items.at(-1) ?? null) : null }
    },
    async record(all) {
      for (const event of all) if (accountOf(state, event.accountId) !== undefined) recordIn(state, event)
    },
    async remind() {
      for (const { apiKey } of apiKeys.values()) {
        for (const { days, until } of reminders) {
          if (apiKey.expiresAt === null) continue
          const leftMs = apiKey.expiresAt.getTime() - now().getTime()
          const lifeMs = apiKey.expiresAt.getTime() - apiKey.createdAt.getTime()
          const isDue = leftMs <= days * dayMs && leftMs > until * dayMs && lifeMs > days * dayMs
          if (isDue) recordIn(state, keyExpires(apiKey, days), `${apiKey.id}-${days}`)
        }
      }
    },
    async trim(days) {
      const old = [...events.values()].filter((event) => isOld(event, days))
      for (const event of old) state.forgetEvent(event)
      return old.length
    },
  }
}
