import type { Account, AccountId } from '../domain/account.js'
import { accountResumed, accountSuspended } from '../domain/account-event.js'
import type { AccountRecord, OperatorAccounts } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import type { MemoryState } from './memory-state.js'

/** An operator's view of accounts in memory, for tests. */
export function memoryOperatorAccounts(state: MemoryState): OperatorAccounts {
  const recordOf = (key: string, account: Account): AccountRecord => {
    const [issuer = '', subject = ''] = JSON.parse(key) as string[]
    return {
      account,
      identity: { issuer, subject },
      signedInAt: state.signIns.get(account.id) ?? account.createdAt,
      suspensionReason: state.suspensionReasons.get(account.id) ?? null,
      apiKeys: [...state.apiKeys.values()].filter(({ apiKey }) => apiKey.accountId === account.id).length,
    }
  }
  const change = (id: AccountId, changed: (account: Account) => Account): AccountRecord | null => {
    for (const [key, known] of state.accounts) {
      if (known.id !== id) continue
      const account = changed(known)
      if (known.suspendedAt === null && account.suspendedAt !== null) recordIn(state, accountSuspended(id))
      if (known.suspendedAt !== null && account.suspendedAt === null) recordIn(state, accountResumed(id))
      state.accounts.set(key, account)
      return recordOf(key, account)
    }
    return null
  }
  return {
    async suspend(id, reason) {
      if (reason !== null) state.suspensionReasons.set(id, reason)
      return change(id, (known) => ({ ...known, suspendedAt: known.suspendedAt ?? state.now() }))
    },
    async resume(id) {
      state.suspensionReasons.delete(id)
      return change(id, (known) => ({ ...known, suspendedAt: null }))
    },
    async search(text, limit) {
      const records = [...state.accounts].map(([key, account]) => recordOf(key, account))
      const found = records.filter(
        ({ account: { id, profile }, identity }) =>
          id === text || identity.subject === text || profile.email?.toLowerCase() === text.toLowerCase(),
      )
      const newest = (one: AccountRecord, other: AccountRecord): number =>
        other.account.createdAt.getTime() - one.account.createdAt.getTime()
      return found.sort(newest).slice(0, limit)
    },
  }
}
