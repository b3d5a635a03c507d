import type { BillingPorts } from '../ports.js'

/**
 * Takes in what the provider sent: checked, and kept durably before this resolves. Returns whether it was new.
 * @throws DomainError `invalid_signature` and the like for what the provider has not signed now; `unavailable`.
 */
export async function receiveEvent(
  { providerEvents, eventLog }: Pick<BillingPorts, 'providerEvents' | 'eventLog'>,
  body: Uint8Array,
  signature: string | undefined,
): Promise<boolean> {
  return eventLog.record(providerEvents.read(body, signature))
}
