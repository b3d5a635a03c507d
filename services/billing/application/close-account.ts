import { unavailable } from '#libs/core/domain-error.js'
import { withoutCheckout } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import { isLive } from '../domain/subscription.js'
import type { BillingPorts } from '../ports.js'
import { refreshSubscription } from './refresh-subscription.js'

type Ports = Pick<BillingPorts, 'accounts' | 'provider'>

/**
 * Ends what a closed account would go on to pay for: its subscription at once, and an open checkout. Safe to repeat.
 * @throws DomainError `unavailable` if the provider is, or has not yet told of a subscription that was just paid.
 */
export async function closeAccount(ports: Ports, id: AccountId): Promise<void> {
  const { accounts, provider } = ports
  const { checkout } = await accounts.find(id)
  let paid = false
  if (checkout?.state === 'open') {
    paid = (await provider.closeCheckout(checkout.id)).paid
    if (!paid) await accounts.update(id, (known) => withoutCheckout(known, checkout.id))
  }
  const { subscription } = await accounts.find(id)
  if (subscription === null || !isLive(subscription)) {
    if (paid) throw unavailable('A checkout was paid at this moment; its subscription is not known yet.')
    return
  }
  await provider.endSubscription(subscription.id)
  await refreshSubscription(ports, id, subscription.id)
}

/**
 * Deletes an erased account here, and before that its customer at the provider. Safe to repeat.
 * @throws DomainError `unavailable`.
 */
export async function eraseAccount({ accounts, provider }: Ports, id: AccountId): Promise<void> {
  const { customerId } = await accounts.find(id)
  if (customerId !== null) await provider.deleteCustomer(customerId)
  await accounts.erase(id)
}
