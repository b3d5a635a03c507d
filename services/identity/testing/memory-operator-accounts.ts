import type { OperatorDecision } from '#shared/core/audit-entry.js'
import type { Account, AccountId, AccountRecord } from '../domain/account.js'
import { accountResumed, accountSuspended } from '../domain/account-event.js'
import type { AuditLog, OperatorAccounts } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import { addStep, type MemoryState } from './memory-state.js'

function recordOf(state: MemoryState, key: string, account: Account): AccountRecord {
  const [issuer = '', subject = ''] = JSON.parse(key) as string[]
  return {
    account,
    identity: { issuer, subject },
    signedInAt: state.signIns.get(account.id) ?? account.createdAt,
    suspensionReason: state.suspensionReasons.get(account.id) ?? null,
    suspensionVersion: state.suspensionVersions.get(account.id) ?? 0,
    apiKeys: [...state.apiKeys.values()].filter(({ apiKey }) => apiKey.accountId === account.id).length,
  }
}

/** All accounts as operators see them. */
export function memoryRecords(state: MemoryState): AccountRecord[] {
  return [...state.accounts].map(([key, account]) => recordOf(state, key, account))
}

/** As `addHiddenStep` in Postgres. */
function addHiddenStep(state: MemoryState, { id, suspendedAt, erasedAfter }: Account, version: number): void {
  if (state.erasing.has(id)) return
  const isClosing = erasedAfter !== null
  const reached = state.steps.get(`${id} content`)?.step.state ?? (isClosing ? 'closed' : 'open')
  const hidden = { hidden: suspendedAt !== null || isClosing, hiddenVersion: version }
  addStep(state, { accountId: id, service: 'content', state: reached, version, ...hidden })
}

/** An operator's view of accounts in memory, for tests. */
export function memoryOperatorAccounts(state: MemoryState): OperatorAccounts {
  const change = (
    id: AccountId,
    decision: OperatorDecision,
    changed: (account: Account) => Account,
    reason: string | null,
  ): AccountRecord | null => {
    for (const [key, known] of state.accounts) {
      if (known.id !== id) continue
      const account = changed(known)
      const [was, is] = [known.suspendedAt !== null, account.suspendedAt !== null]
      const before = state.suspensionReasons.get(id) ?? null
      if (was !== is) {
        recordIn(state, is ? accountSuspended(id, decision) : accountResumed(id, decision))
        const version = (state.suspensionVersions.get(id) ?? 0) + 1
        state.suspensionVersions.set(id, version)
        addHiddenStep(state, account, version)
      }
      if (was !== is || before !== reason) {
        const action = is ? 'account.suspended' : 'account.resumed'
        state.audit.record({ action, subject: { kind: 'account', id }, accountId: id, detail: {} }, decision)
      }
      if (reason === null) state.suspensionReasons.delete(id)
      else state.suspensionReasons.set(id, reason)
      state.accounts.set(key, account)
      return recordOf(state, key, account)
    }
    return null
  }
  return {
    async suspend(id, decision) {
      const reason = decision.reason === '' ? (state.suspensionReasons.get(id) ?? null) : decision.reason
      const suspended = (known: Account): Account => ({
        ...known,
        suspendedAt: known.suspendedAt ?? state.now(),
      })
      return change(id, decision, suspended, reason)
    },
    async resume(id, decision) {
      return change(id, decision, (known) => ({ ...known, suspendedAt: null }), null)
    },
    async search(text, limit) {
      const found = memoryRecords(state).filter(
        ({ account: { id, profile }, identity }) =>
          id === text || identity.subject === text || profile.email?.toLowerCase() === text.toLowerCase(),
      )
      const newest = (one: AccountRecord, other: AccountRecord): number =>
        other.account.createdAt.getTime() - one.account.createdAt.getTime()
      return found.sort(newest).slice(0, limit)
    },
  }
}

/** The audit log in memory, for tests. */
export function memoryAudit({ audit }: MemoryState): AuditLog {
  return {
    async record(entry) {
      audit.add(entry)
    },
    list: async (filter) => audit.list(filter),
  }
}
