import { DomainError } from '#libs/core/domain-error.js'
import type { AccountId, SubscriptionId } from '../domain/ids.js'
import { continued, type Subscription, sameSubscription, supersession } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'
import { refreshSubscription } from './refresh-subscription.js'

type Ports = Pick<BillingPorts, 'accounts' | 'provider'>

/** The result of a reconciliation. */
export interface Reconciled {
  readonly seen: number
  readonly corrected: number
  /** The number that could not be checked; the next reconciliation retries. */
  readonly failed: number
}

/** The account of a subscription whose stored state differs from the provider's; `null` if all is well. */
async function drifted({ accounts }: Ports, subscription: Subscription): Promise<AccountId | null> {
  const id = await accounts.accountOf(subscription.customerId)
  if (id === null) return null
  const { subscription: known, unwanted } = await accounts.find(id)
  if (unwanted.includes(subscription.id)) return null
  if (known !== null && supersession(subscription, known) === 'superseded') return null
  return known !== null && sameSubscription(known, continued(subscription, known)) ? null : id
}

/**
 * Compares every subscription at the provider with the stored state, and refreshes each one that differs or that the
 * provider no longer has.
 * @throws DomainError `unavailable` if the provider cannot list them.
 */
export async function reconcile(ports: Ports, signal: AbortSignal): Promise<Reconciled> {
  const seen = new Set<SubscriptionId>()
  let [corrected, failed] = [0, 0]
  const correct = async (accountId: AccountId, subscriptionId: SubscriptionId): Promise<void> => {
    try {
      await refreshSubscription(ports, accountId, subscriptionId)
      corrected += 1
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      failed += 1
    }
  }
  for await (const subscription of ports.provider.allSubscriptions()) {
    if (signal.aborted) break
    seen.add(subscription.id)
    const accountId = await drifted(ports, subscription)
    if (accountId !== null) await correct(accountId, subscription.id)
  }
  for (const { accountId, subscriptionId } of await ports.accounts.subscribers()) {
    if (signal.aborted) break
    if (!seen.has(subscriptionId)) await correct(accountId, subscriptionId)
  }
  return { seen: seen.size, corrected, failed }
}
