import { type Account, type Identity, isOutdated, type ProfileData } from '../domain/account.js'
import { planChanged, planGranted } from '../domain/account-event.js'
import type { AccountStore } from '../ports.js'
import { recordIn } from './memory-event-store.js'
import { asOfNow, type MemoryState } from './memory-state.js'

function keyOf({ issuer, subject }: Identity): string {
  return JSON.stringify([issuer, subject])
}

const newAccount = {
  plan: 'free',
  planVersion: 0,
  suspendedAt: null,
  erasedAfter: null,
  signedInToday: true,
} as const

function renewed(known: Account, profile: ProfileData, issuedAt: Date | null): Account {
  if (isOutdated(issuedAt, known)) return known
  return { ...known, profile, profileIssuedAt: issuedAt ?? known.profileIssuedAt }
}

/** Accounts in memory, for tests. */
export function memoryAccountStore(state: MemoryState): AccountStore {
  const { accounts, signIns, now } = state
  return {
    async find(identity) {
      const found = accounts.get(keyOf(identity))
      return found === undefined ? null : asOfNow(state, found)
    },
    async upsert(id, identity, profile, issuedAt) {
      const known = accounts.get(keyOf(identity))
      const account: Account =
        known === undefined
          ? { ...newAccount, id, profile, profileIssuedAt: issuedAt, createdAt: now() }
          : asOfNow(state, renewed(known, profile, issuedAt))
      accounts.set(keyOf(identity), account)
      return account
    },
    async noteSignIn(id) {
      const known = [...accounts.values()].find((account) => account.id === id)
      if (known === undefined || asOfNow(state, known).signedInToday) return false
      signIns.set(id, now())
      return true
    },
    async setPlan(id, plan, version, grant = null) {
      for (const [key, known] of accounts) {
        if (known.id !== id) continue
        if (known.planVersion >= version) return { account: known, applied: false }
        const account = { ...known, plan, planVersion: version }
        accounts.set(key, account)
        if (known.plan !== plan) recordIn(state, planChanged(id, known.plan, plan))
        if (grant !== null) recordIn(state, planGranted(id, plan, grant))
        return { account, applied: true }
      }
      return null
    },
  }
}
