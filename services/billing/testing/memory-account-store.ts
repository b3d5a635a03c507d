import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { type AccountId, subscriptionId } from '../domain/ids.js'
import { planReceivers } from '../domain/manual-plan.js'
import { isLive, nextRecheck } from '../domain/subscription.js'
import type { BillingAccountStore, Subscriber, Updated } from '../ports.js'
import type { KeptAccount, MemoryState } from './memory-state.js'
import { newAccount } from './new-account.js'

const triesMax = 10

type RecordedBy = NonNullable<Parameters<BillingAccountStore['update']>[2]> | null

/** An ongoing subscription and its account. */
function subscriberOf({ account: { id, subscription } }: KeptAccount): Subscriber | null {
  if (subscription === null || !isLive(subscription)) return null
  return { accountId: id, subscriptionId: subscription.id }
}

function addDeliveries(
  state: MemoryState,
  { id: accountId, plan, planVersion: version, manualPlan }: BillingAccount,
  decision: OperatorDecision | null,
): void {
  const { message, shownAs } = decision ?? {}
  const granted =
    manualPlan === null || message === undefined || shownAs === undefined
      ? null
      : { until: manualPlan.until, message, shownAs }
  for (const receiver of planReceivers) {
    state.deliveries.set(`${accountId} ${receiver} ${version}`, {
      delivery: { accountId, receiver, plan, version, granted },
      dueMs: state.nowMs,
      attempts: 0,
    })
  }
}

export function memoryAccountStore(state: MemoryState): BillingAccountStore {
  const { accounts } = state
  const load = (id: AccountId): BillingAccount => accounts.get(id)?.account ?? newAccount(id)

  const subscriberWith = (emailKey: string, but?: AccountId): Subscriber | null => {
    for (const kept of accounts.values()) {
      const { id, emailKey: theirs } = kept.account
      const subscriber = theirs === emailKey && id !== but ? subscriberOf(kept) : null
      if (subscriber !== null) return subscriber
    }
    return null
  }

  const save = (
    before: BillingAccount,
    account: BillingAccount,
    revision: number,
    entry: RecordedBy,
  ): Updated => {
    const { id, emailKey, subscription } = account
    if (state.erased.has(id))
      throw new DomainError('not-found', 'not_found', 'The account this belongs to no longer exists.')
    const live = subscription !== null && isLive(subscription)
    const by = live && emailKey !== null ? subscriberWith(emailKey, id) : null
    if (by !== null) return { state: 'email-taken', by }
    const due = accounts.get(id)?.unwantedDue ?? new Map<string, number>()
    const unwantedDue = new Map(account.unwanted.map((one) => [one, due.get(one) ?? state.nowMs]))
    const times = [nextRecheck(subscription, new Date(state.nowMs)), account.manualPlan?.until ?? null]
    const known = times.flatMap((time) => (time === null ? [] : [time.getTime()]))
    const recheckAt = known.length === 0 ? null : new Date(Math.min(...known))
    accounts.set(id, { account, revision, recheckAt, unwantedDue })
    if (entry !== null) state.audit.record(entry.draft, entry.decision)
    if (account.planVersion > before.planVersion) addDeliveries(state, account, entry?.decision ?? null)
    return { state: 'saved', account }
  }

  return {
    find: async (id) => load(id),
    async accountOf(customerId) {
      const found = [...accounts.values()].find(({ account }) => account.customerId === customerId)
      return found?.account.id ?? null
    },
    subscriberWith: async (emailKey) => subscriberWith(emailKey),
    async update(id, change, by = null) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const [before, revision] = [load(id), accounts.get(id)?.revision ?? 0]
        const changed = await change(before, new Date(state.nowMs))
        if (changed === before) return { state: 'saved', account: before }
        if ((accounts.get(id)?.revision ?? 0) === revision) return save(before, changed, revision + 1, by)
      }
      throw unavailable('The subscription is being changed by another request. Try again.')
    },
    async claimDue(count, leaseMs) {
      const due = [...accounts.values()].filter(
        ({ recheckAt }) => recheckAt !== null && recheckAt.getTime() <= state.nowMs,
      )
      for (const kept of due.slice(0, count)) kept.recheckAt = new Date(state.nowMs + leaseMs)
      return due.slice(0, count).map(({ account }) => account.id)
    },
    async claimUnwanted(count, leaseMs) {
      const claimed: Subscriber[] = []
      for (const { account, unwantedDue } of accounts.values()) {
        for (const [id, dueMs] of unwantedDue) {
          if (claimed.length === count || dueMs > state.nowMs) continue
          unwantedDue.set(id, state.nowMs + leaseMs)
          claimed.push({ accountId: account.id, subscriptionId: subscriptionId(id) })
        }
      }
      return claimed
    },
    async erase(id) {
      const customer = accounts.get(id)?.account.customerId ?? null
      accounts.delete(id)
      for (const [key, { event }] of state.events)
        if (customer !== null && event.customerId === customer) state.events.delete(key)
      for (const map of [state.deliveries, state.responses])
        for (const key of map.keys()) if (key.startsWith(`${id} `)) map.delete(key)
      state.audit.erase(id)
      state.erased.add(id)
    },
    subscribers: async () => [...accounts.values()].flatMap((kept) => subscriberOf(kept) ?? []),
  }
}
