import type { Account, Identity } from '../domain/account.js'
import type { AccountStore } from '../ports.js'

/** Accounts in memory, for tests; `now` is its clock. */
export function memoryAccountStore(now: () => Date): AccountStore {
  const accounts = new Map<string, { account: Account; version: number }>()
  const keyOf = ({ issuer, subject }: Identity): string => JSON.stringify([issuer, subject])
  return {
    find: async (identity) => accounts.get(keyOf(identity))?.account ?? null,
    async upsert(id, identity, profile) {
      const known = accounts.get(keyOf(identity))
      const account: Account =
        known === undefined ? { id, profile, plan: 'free', createdAt: now() } : { ...known.account, profile }
      accounts.set(keyOf(identity), { account, version: known?.version ?? 0 })
      return account
    },
    async setPlan(id, plan, version) {
      for (const [key, known] of accounts) {
        if (known.account.id !== id) continue
        if (known.version >= version) return { account: known.account, applied: false }
        const account = { ...known.account, plan }
        accounts.set(key, { account, version })
        return { account, applied: true }
      }
      return null
    },
  }
}
