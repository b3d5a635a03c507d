import {
  type BillingAccount,
  withoutCheckout,
  withoutUnwanted,
  withSubscription,
  withUnwanted,
} from '../domain/billing-account.js'
import type { AccountId, SubscriptionId } from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import { ended, isLive, type Subscription, supersession } from '../domain/subscription.js'
import type { BillingPorts, EventOutcome, Subscriber } from '../ports.js'

/**
 * Ends a subscription that duplicates another one, and refunds it.
 * @throws DomainError `unavailable`.
 */
export async function refundDuplicate(
  { accounts, provider }: Pick<BillingPorts, 'accounts' | 'provider'>,
  { accountId, subscriptionId }: Subscriber,
): Promise<void> {
  await provider.undoSubscription(subscriptionId)
  await accounts.update(accountId, (account) => withoutUnwanted(account, subscriptionId))
}

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

/**
 * Processes an event and returns the outcome. An event is only a hint about which account and subscription to
 * check, so it may arrive twice, late and in any order.
 * @throws DomainError `unavailable`.
 */
export async function processEvent(
  ports: Pick<BillingPorts, 'accounts' | 'provider'>,
  event: ProviderEvent,
): Promise<EventOutcome> {
  const { customerId, subscriptionId, checkoutId } = event
  if (!event.modeMatches) return 'wrong-mode'
  if (subscriptionId === null && checkoutId === null) return 'ignored'
  const account = customerId === null ? null : await ports.accounts.accountOf(customerId)
  if (account === null) return 'foreign'
  if (checkoutId !== null) await ports.accounts.update(account, (known) => withoutCheckout(known, checkoutId))
  if (subscriptionId !== null) await refreshSubscription(ports, account, subscriptionId)
  return 'applied'
}

/**
 * Rechecks a subscription for changes by time alone, such as the end of a grace period: first from the stored
 * state, so that it happens on time even if the provider is down.
 * @throws DomainError `unavailable`.
 */
export async function recheckDue(
  ports: Pick<BillingPorts, 'accounts' | 'provider'>,
  id: AccountId,
): Promise<void> {
  const updated = await ports.accounts.update(id, (account, now) =>
    withSubscription(account, account.subscription, now),
  )
  if (updated.state !== 'saved' || updated.account.subscription === null) return
  await refreshSubscription(ports, id, updated.account.subscription.id)
}
