import type { Account, Identity } from '../domain/account.js'
import type { AccountStore } from '../ports.js'
import type { MemoryState } from './memory-state.js'

function keyOf({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject])
}

/** Accounts in memory, for tests. */
export function memoryAccountStore({ accounts, now }: MemoryState): AccountStore {
  return {
    find: async (identity) => accounts.get(keyOf(identity)) ?? null,
    async upsert(id, identity, profile) {
      const known = accounts.get(keyOf(identity))
      const account: Account =
        known === undefined
          ? { id, profile, plan: 'free', planVersion: 0, createdAt: now() }
          : { ...known, profile }
      accounts.set(keyOf(identity), account)
      return account
    },
    async setPlan(id, plan, version) {
      for (const [key, known] of accounts) {
        if (known.id !== id) continue
        if (known.planVersion >= version) return { account: known, applied: false }
        const account = { ...known, plan, planVersion: version }
        accounts.set(key, account)
        return { account, applied: true }
      }
      return null
    },
  }
}
