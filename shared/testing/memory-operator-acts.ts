import { createHash } from 'node:crypto'
import type {
  OperatorAct,
  OperatorActDraft,
  OperatorActFilter,
  OperatorActPage,
  OperatorDecision,
} from '../core/operator-act.js'

/** Acts in memory, for tests. */
export interface MemoryOperatorActs {
  record(draft: OperatorActDraft, decision: OperatorDecision): string
  list(filter: OperatorActFilter): OperatorActPage
  /** Replaces an erased account by its digest. */
  erase(accountId: string): void
}

function isBefore(act: OperatorAct, { after }: OperatorActFilter): boolean {
  if (after === null) return true
  const difference = act.createdAt.getTime() - after.createdAt.getTime()
  return difference < 0 || (difference === 0 && act.id < after.id)
}

/** @param prefix makes the ids differ from those of other services. */
export function memoryOperatorActs(now: () => Date, prefix: string): MemoryOperatorActs {
  const acts: OperatorAct[] = []
  return {
    record(draft, { operatorId, operatorName, reason, message }) {
      const id = `${prefix}${String(acts.length + 1).padStart(8, '0')}`
      acts.push({ ...draft, id, operatorId, operatorName, reason, message, createdAt: now() })
      return id
    },
    erase(accountId) {
      const digest = createHash('sha256').update(accountId).digest('hex')
      for (const [index, act] of acts.entries()) {
        const subject = act.subject.id === accountId ? { ...act.subject, id: digest } : act.subject
        const told =
          act.accountId === accountId ? { accountId: digest, message: '', detail: {}, subject } : {}
        const by = act.operatorId === accountId ? { operatorId: digest, operatorName: '' } : {}
        acts[index] = { ...act, ...told, ...by }
      }
    },
    list(filter) {
      const { accountId, subjectId, itemsMax } = filter
      const found = acts.filter(
        (act) =>
          (accountId === null || act.accountId === accountId) &&
          (subjectId === null || act.subject.id === subjectId) &&
          isBefore(act, filter),
      )
      const newest = (one: OperatorAct, other: OperatorAct): number =>
        other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1)
      const items = found.sort(newest).slice(0, itemsMax)
      const last = items.at(-1)
      const more = last !== undefined && found.length > items.length
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
    },
  }
}
