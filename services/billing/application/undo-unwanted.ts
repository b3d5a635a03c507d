import { withoutUnwanted } from '../domain/billing-account.js'
import type { BillingPorts, Subscriber } from '../ports.js'

/**
 * Ends a subscription that nobody should pay for, and gives the money back.
 * @throws DomainError `unavailable`.
 */
export async function undoUnwanted(
  { accounts, provider }: Pick<BillingPorts, 'accounts' | 'provider'>,
  { accountId, subscriptionId }: Subscriber,
): Promise<void> {
  await provider.undoSubscription(subscriptionId)
  await accounts.update(accountId, (account) => withoutUnwanted(account, subscriptionId))
}
