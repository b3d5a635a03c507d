import type { AccountId } from '../domain/ids.js'
import { noSubscription } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'

/**
 * The URL of the provider's page with the account's invoices and payment methods.
 * @throws DomainError `not_found` for an account that never started a checkout; `unavailable`.
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
