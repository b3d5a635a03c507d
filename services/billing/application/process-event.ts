import { withoutCheckout } from '../domain/billing-account.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { BillingPorts, EventOutcome } from '../ports.js'
import { refreshSubscription } from './refresh-subscription.js'

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
