import { type BillingAccount, withSubscription, withUnwanted } from '../domain/billing-account.js'
import type { AccountId, SubscriptionId } from '../domain/ids.js'
import { ended, isLive, type Subscription, supersession } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'

type Ports = Pick<BillingPorts, 'accounts' | 'provider'>

/** The account's current subscription; one that the provider no longer knows has ended. */
async function currentNow({ provider }: Ports, current: Subscription): Promise<Subscription> {
  return (await provider.findSubscription(current.id)) ?? ended(current)
}

/** The current state of the subscription; `null` if it is not the account's. */
async function fetchOf(
  ports: Ports,
  account: BillingAccount,
  id: SubscriptionId,
): Promise<Subscription | null> {
  const { subscription: current } = account
  const fetched =
    current?.id === id ? await currentNow(ports, current) : await ports.provider.findSubscription(id)
  return fetched?.customerId === account.customerId ? fetched : null
}

async function apply(
  ports: Ports,
  account: BillingAccount,
  id: SubscriptionId,
  now: Date,
): Promise<BillingAccount> {
  const next = await fetchOf(ports, account, id)
  if (next === null || (account.unwanted.includes(id) && isLive(next))) return account
  const { subscription: current } = account
  const verdict = supersession(next, current)
  switch (verdict) {
    case 'takes-over':
      return withSubscription(account, next, now)
    case 'superseded':
      return account
    case 'rival': {
      // The account's own subscription may have ended unnoticed; no payment is refunded on a guess.
      const known = current === null ? null : await currentNow(ports, current)
      const refreshed = withSubscription(account, known, now)
      return supersession(next, known) === 'rival'
        ? withUnwanted(refreshed, id)
        : withSubscription(refreshed, next, now)
    }
    default:
      return verdict satisfies never
  }
}

/**
 * Fetches a subscription of the account from the provider and acts on its current state, whatever an event claimed.
 * If it was paid in addition to another ongoing one, of the account or of its e-mail address, it is recorded as a
 * duplicate.
 * @throws DomainError `unavailable`.
 */
export async function refreshSubscription(
  ports: Ports,
  id: AccountId,
  subscription: SubscriptionId,
): Promise<void> {
  const work = (account: BillingAccount, now: Date) => apply(ports, account, subscription, now)
  const first = await ports.accounts.update(id, work)
  if (first.state === 'saved') return
  const { by: holder } = first
  await ports.accounts.update(holder.accountId, (account, now) =>
    apply(ports, account, holder.subscriptionId, now),
  )
  const second = await ports.accounts.update(id, work)
  if (second.state === 'saved') return
  await ports.accounts.update(id, (account) => withUnwanted(account, subscription))
}
