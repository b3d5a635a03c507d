import { invalidSignature } from '#shared/core/event-signature.js'
import type { ProviderEvents } from '../ports.js'
import { readProviderEvent } from './read-provider-event.js'
import { isSigned } from './webhook-signature.js'

/** What tells the provider's events from forged ones. */
export interface SignedEventsSettings {
  /** Every secret that may have signed; two while one takes the other's place. */
  readonly secrets: readonly string[]
  /** Whether the provider's real mode is in use. */
  readonly live: boolean
  readonly now: () => Date
}

/** Events that Stripe signed. Whatever is wrong with a signature, the response is the same, so that nobody learns from it. */
export function signedProviderEvents({ secrets, live, now }: SignedEventsSettings): ProviderEvents {
  return {
    read(body, signature) {
      if (!isSigned(body, signature, secrets, now())) throw invalidSignature()
      return readProviderEvent(body, live)
    },
  }
}
