import { withSubscription } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import type { BillingPorts } from '../ports.js'
import { refreshSubscription } from './refresh-subscription.js'

/**
 * Acts on what time alone has changed of an account's subscription, such as the end of a grace, first by what is known
 * here, so that it happens on time though the provider is away.
 * @throws DomainError `unavailable`.
 */
export async function lookAgain(
  ports: Pick<BillingPorts, 'accounts' | 'provider'>,
  id: AccountId,
): Promise<void> {
  const updated = await ports.accounts.update(id, (account, now) =>
    withSubscription(account, account.subscription, now),
  )
  if (updated.state !== 'saved' || updated.account.subscription === null) return
  await refreshSubscription(ports, id, updated.account.subscription.id)
}
