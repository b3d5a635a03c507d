import { createHash } from 'node:crypto'
import type { Account, AccountId } from '../domain/account.js'
import { accountClosed, accountRestored } from '../domain/account-event.js'
import {
  type AccountState,
  type AccountStep,
  type DataService,
  dataServices,
  erasureBegan,
  notifiedOfClosure,
} from '../domain/account-step.js'
import type { ChangedAccount, ErasureStore } from '../erasure-ports.js'
import { recordIn } from './memory-event-store.js'
import { memoryRecords } from './memory-operator-accounts.js'
import { accountOf, addStep, type MemoryState, type MemoryStep } from './memory-state.js'

const dayMs = 86_400_000

function digestOf(id: AccountId): string {
  return createHash('sha256').update(id).digest('hex')
}

function eraseFrom(state: MemoryState, id: AccountId): void {
  for (const [key, { apiKey }] of state.apiKeys) if (apiKey.accountId === id) state.apiKeys.delete(key)
  for (const [key, { accountId }] of state.events) if (accountId === id) state.events.delete(key)
  for (const [key, { accountId }] of state.publishers) {
    if (accountId !== id) continue
    state.publishers.delete(key)
    state.publisherEvents.delete(key)
    for (const [digest, token] of state.tokens) if (token.publisherId === key) state.tokens.delete(digest)
  }
  for (const key of state.responses.keys()) if (JSON.parse(key)[0] === id) state.responses.delete(key)
  for (const [key, account] of state.accounts) if (account.id === id) state.accounts.delete(key)
  for (const map of [state.signIns, state.suspensionReasons, state.suspensionVersions]) map.delete(id)
  state.audit.erase(id)
}

/** Closed and erased accounts in memory, for tests. */
export function memoryErasureStore(
  state: MemoryState,
  services: readonly DataService[] = dataServices,
): ErasureStore {
  const { steps, erasing: begun } = state
  const ledger = new Map<string, Date>()
  const nowMs = (): number => state.now().getTime()
  const isHidden = (account: Account | undefined): boolean =>
    account !== undefined && (account.suspendedAt !== null || account.erasedAfter !== null)

  const change = (known: Account, erasedAfter: Date | null, reached: AccountState): ChangedAccount => {
    const account = { ...known, erasedAfter }
    const version = (state.suspensionVersions.get(known.id) ?? 0) + 1
    state.suspensionVersions.set(known.id, version)
    for (const [key, one] of state.accounts) if (one.id === known.id) state.accounts.set(key, account)
    for (const service of reached === 'erased' ? services : notifiedOfClosure) {
      if (!services.includes(service)) continue
      const hidden = { hidden: isHidden(account), hiddenVersion: version }
      addStep(state, { accountId: known.id, service, state: reached, version, ...hidden })
    }
    return { account, version, changed: true }
  }
  const unchanged = (account: Account): ChangedAccount => {
    return { account, version: state.suspensionVersions.get(account.id) ?? 0, changed: false }
  }
  const kept = ({ accountId, service, version }: AccountStep): MemoryStep | undefined => {
    const found = steps.get(`${accountId} ${service}`)
    return found?.step.version === version ? found : undefined
  }
  const begin = (account: Account): void => {
    begun.add(account.id)
    change(account, account.erasedAfter ?? state.now(), 'erased')
  }

  return {
    async close(id, days) {
      const known = accountOf(state, id)
      if (known === undefined) return null
      if (known.erasedAfter !== null) return unchanged(known)
      const closed = change(known, new Date(nowMs() + days * dayMs), 'closed')
      recordIn(state, accountClosed(id, closed.account.erasedAfter))
      return closed
    },
    async restore(id) {
      const known = accountOf(state, id)
      if (known === undefined) return null
      if (known.erasedAfter === null) return unchanged(known)
      if (known.erasedAfter.getTime() <= nowMs()) throw erasureBegan()
      recordIn(state, accountRestored(id))
      return change(known, null, 'open')
    },
    async claim(service, limit, leaseMs) {
      const due = [...steps.values()].filter(
        ({ step, dueMs }) => step.service === service && dueMs <= nowMs(),
      )
      return due.slice(0, limit).map((one) => {
        one.dueMs = nowMs() + leaseMs
        const { accountId } = one.step
        const hiddenVersion = state.suspensionVersions.get(accountId) ?? 0
        return { ...one.step, hidden: isHidden(accountOf(state, accountId)), hiddenVersion }
      })
    },
    async finish(step) {
      if (kept(step) !== undefined) steps.delete(`${step.accountId} ${step.service}`)
    },
    async postpone(step, failed) {
      const found = kept(step)
      if (found === undefined) return
      found.dueMs = nowMs() + (failed ? Math.min(2 ** found.attempts, 60) : 1) * 1_000
      found.attempts += failed ? 1 : 0
    },
    async beginDue(limit) {
      const due = [...state.accounts.values()].filter(
        ({ id, erasedAfter }) => erasedAfter !== null && erasedAfter.getTime() <= nowMs() && !begun.has(id),
      )
      for (const account of due.slice(0, limit)) begin(account)
      return Math.min(due.length, limit)
    },
    async eraseFinished(limit) {
      const waiting = new Set([...steps.values()].map(({ step }) => step.accountId))
      const finished = [...begun].filter((id) => !waiting.has(id)).slice(0, limit)
      for (const id of finished) {
        eraseFrom(state, id)
        begun.delete(id)
        ledger.set(digestOf(id), state.now())
      }
      return finished.length
    },
    countRestored: async () => [...begun].filter((id) => ledger.has(digestOf(id))).length,
    async *ledger() {
      yield* [...ledger].map(([digest, erasedAt]) => ({ digest, erasedAt }))
    },
    async applyLedger(erased, days) {
      for (const { digest, erasedAt } of erased) if (!ledger.has(digest)) ledger.set(digest, erasedAt)
      const known = [...state.accounts].filter(([, { id }]) => !begun.has(id))
      const found = known.map(([, account]) => account).filter(({ id }) => ledger.has(digestOf(id)))
      for (const account of found) begin(account)
      const closing = known.filter(([, { id, erasedAfter }]) => erasedAfter !== null && !begun.has(id))
      for (const [key, account] of closing) {
        const erasedAfter = Math.max(account.erasedAfter?.getTime() ?? 0, nowMs() + days * dayMs)
        state.accounts.set(key, { ...account, erasedAfter: new Date(erasedAfter) })
      }
      return { erasing: found.map(({ id }) => id), renewed: closing.length }
    },
    async closing(limit) {
      const time = ({ account }: { account: Account }): number => account.erasedAfter?.getTime() ?? Infinity
      const closing = memoryRecords(state).filter(({ account }) => account.erasedAfter !== null)
      return closing.sort((one, other) => time(one) - time(other)).slice(0, limit)
    },
    async queue() {
      const waiting = [...steps.values()]
      const oldest = Math.min(...waiting.map(({ createdAt }) => createdAt.getTime()))
      return {
        name: 'account_steps',
        waiting: waiting.length,
        failing: waiting.filter(({ attempts }) => attempts > 0).length,
        oldestAt: waiting.length === 0 ? null : new Date(oldest),
      }
    },
  }
}
