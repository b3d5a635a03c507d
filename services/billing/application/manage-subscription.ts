import { type BillingAccount, withSubscription } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import { isLive, noSubscription } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'

/**
 * Makes the account's subscription end with its period, or continue after all. The provider is called even if nothing
 * seems to change: it may have been changed there, with a late event.
 * @throws DomainError `not_found` if there is no ongoing one; `unavailable`.
 */
export async function setCancellation(
  { accounts, provider }: Pick<BillingPorts, 'accounts' | 'provider'>,
  id: AccountId,
  cancel: boolean,
): Promise<BillingAccount> {
  const updated = await accounts.update(id, async (account, now) => {
    const { subscription } = account
    if (subscription === null || !isLive(subscription)) throw noSubscription()
    return withSubscription(account, await provider.setCancelAtPeriodEnd(subscription.id, cancel), now)
  })
  return updated.state === 'saved' ? updated.account : accounts.find(id)
}

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
