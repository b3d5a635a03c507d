import { withSubscription } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import type { BillingPorts } from '../ports.js'
import { refreshSubscription } from './refresh-subscription.js'

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
