import { createHash } from 'node:crypto'
import type { ListPosition } from '#libs/core/page.js'
import type {
  AuditEntry,
  AuditEntryDraft,
  AuditLogFilter,
  AuditLogPage,
  AuditOutbox,
  OperatorDecision,
} from '../core/audit-entry.js'

function digestOf(accountId: string): string {
  return createHash('sha256').update(accountId).digest('hex')
}

/** What is left of an entry if these accounts are erased. */
function withoutErased(entry: AuditEntry, isErased: (accountId: string) => boolean): AuditEntry {
  const about = isErased(entry.accountId)
    ? {
        accountId: digestOf(entry.accountId),
        subject:
          entry.subject.kind === 'account'
            ? { ...entry.subject, id: digestOf(entry.accountId) }
            : entry.subject,
        message: '',
        detail: {},
      }
    : {}
  const by = isErased(entry.operatorId) ? { operatorId: digestOf(entry.operatorId), operatorName: '' } : {}
  return { ...entry, ...about, ...by }
}

function entryOf(
  draft: AuditEntryDraft,
  { operatorId, operatorName, reason, message }: OperatorDecision,
  made: Pick<AuditEntry, 'id' | 'createdAt'>,
): AuditEntry {
  return { ...draft, ...made, operatorId, operatorName, reason, message }
}

function newestFirst(one: AuditEntry, other: AuditEntry): number {
  const difference = other.createdAt.getTime() - one.createdAt.getTime()
  return difference === 0 ? (one.id < other.id ? 1 : -1) : difference
}

function isAfter({ id, createdAt }: AuditEntry, position: ListPosition): boolean {
  const difference = createdAt.getTime() - position.createdAt.getTime()
  return difference < 0 || (difference === 0 && id < position.id)
}

/** The audit log in memory, for tests. */
export interface MemoryAuditLog {
  record(draft: AuditEntryDraft, decision: OperatorDecision): string
  /** Adds an entry of another service, unless it is there. */
  add(entry: AuditEntry): void
  list(filter: AuditLogFilter): AuditLogPage
  /** Replaces an erased account by its digest, also in entries that arrive later. */
  erase(accountId: string): void
}

/** An empty log. */
export function memoryAuditLog(now: () => Date): MemoryAuditLog {
  const entries = new Map<string, AuditEntry>()
  const erased = new Set<string>()
  const add = (entry: AuditEntry): void => {
    if (!entries.has(entry.id))
      entries.set(
        entry.id,
        withoutErased(entry, (id) => erased.has(id)),
      )
  }
  return {
    add,
    record(draft, decision) {
      const id = `identity${String(entries.size + 1).padStart(8, '0')}`
      add(entryOf(draft, decision, { id, createdAt: now() }))
      return id
    },
    erase(accountId) {
      erased.add(accountId)
      for (const [id, entry] of entries)
        entries.set(
          id,
          withoutErased(entry, (one) => one === accountId),
        )
    },
    list({ accountId, subjectId, after, itemsMax }) {
      const found = [...entries.values()].filter(
        (entry) =>
          (accountId === null || entry.accountId === accountId) &&
          (subjectId === null || entry.subject.id === subjectId) &&
          (after === null || isAfter(entry, after)),
      )
      const items = found.sort(newestFirst).slice(0, itemsMax)
      const last = items.at(-1)
      const more = last !== undefined && found.length > items.length
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
    },
  }
}

/** An entry that waits. */
export interface MemoryAuditDelivery {
  entry: AuditEntry
  dueMs: number
  attempts: number
}

/** Entries on their way to the log, in memory, for tests. */
export interface MemoryAuditOutbox extends AuditOutbox {
  record(draft: AuditEntryDraft, decision: OperatorDecision): string
  /** Replaces an erased account by its digest. */
  erase(accountId: string): void
  /** All that wait, with their failures. */
  waiting(): readonly MemoryAuditDelivery[]
}

/** An empty outbox; the prefix makes its ids differ from those of other services. */
export function memoryAuditOutbox(now: () => Date, prefix: string): MemoryAuditOutbox {
  const deliveries = new Map<string, MemoryAuditDelivery>()
  let recorded = 0
  return {
    record(draft, decision) {
      recorded += 1
      const id = `${prefix}${String(recorded).padStart(8, '0')}`
      const entry = entryOf(draft, decision, { id, createdAt: now() })
      deliveries.set(id, { entry, dueMs: now().getTime(), attempts: 0 })
      return id
    },
    erase(accountId) {
      for (const one of deliveries.values()) one.entry = withoutErased(one.entry, (id) => id === accountId)
    },
    waiting: () => [...deliveries.values()],
    async claim(limit, leaseMs) {
      const nowMs = now().getTime()
      const due = [...deliveries.values()].filter(({ dueMs }) => dueMs <= nowMs).slice(0, limit)
      for (const one of due) one.dueMs = nowMs + leaseMs
      return due.map(({ entry }) => entry)
    },
    async finish({ id }) {
      deliveries.delete(id)
    },
    async postpone({ id }) {
      const one = deliveries.get(id)
      if (one === undefined) return
      one.dueMs = now().getTime() + Math.min(2 ** one.attempts, 60) * 1_000
      one.attempts += 1
    },
  }
}
