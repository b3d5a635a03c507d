import type { BillingPorts } from '../ports.js'

/**
 * Verifies an event of the provider, and stores it durably before this resolves. Returns whether it was new.
 * @throws DomainError such as `invalid_signature` for anything that the provider has not just signed;
 * `unavailable`.
 */
export async function receiveEvent(
  { providerEvents, eventLog }: Pick<BillingPorts, 'providerEvents' | 'eventLog'>,
  body: Uint8Array,
  signature: string | undefined,
): Promise<boolean> {
  return eventLog.record(providerEvents.read(body, signature))
}
