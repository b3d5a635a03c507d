import { withoutUnwanted } from '../domain/billing-account.js'
import type { BillingPorts, Subscriber } from '../ports.js'

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
