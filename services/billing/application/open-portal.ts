import type { AccountId } from '../domain/ids.js'
import { noSubscription } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'

/**
 * The address of the provider's page where the account's invoices and means of payment are.
 * @throws DomainError `not_found` for an account that never began to pay; `unavailable`.
 */
export async function openPortal(
  { accounts, provider }: Pick<BillingPorts, 'accounts' | 'provider'>,
  id: AccountId,
  returnUrl: string,
): Promise<string> {
  const { customerId } = await accounts.find(id)
  if (customerId === null) throw noSubscription()
  return provider.openPortal(customerId, returnUrl)
}
