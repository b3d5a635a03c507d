import { invalidSignature } from '#shared/core/event-signature.js'
import type { ProviderEvents } from '../ports.js'
import { readProviderEvent } from './read-provider-event.js'
import { isSigned } from './webhook-signature.js'

/** How events are authenticated. */
export interface SignedEventsSettings {
  /** The accepted signing secrets; two during a rotation. */
  readonly secrets: readonly string[]
  /** Whether this is live mode. */
  readonly live: boolean
  readonly now: () => Date
}

/** Events signed by Stripe. An invalid signature always gets the same response, so that it reveals nothing. */
export function signedProviderEvents({ secrets, live, now }: SignedEventsSettings): ProviderEvents {
  return {
    read(body, signature) {
      if (!isSigned(body, signature, secrets, now())) throw invalidSignature()
      return readProviderEvent(body, live)
    },
  }
}
