import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidSignature, readEventSignature } from '#shared/core/event-signature.js'
import type { ProviderEvents } from '../ports.js'
import { readProviderEvent } from './read-provider-event.js'

/**
 * Whether a `Stripe-Signature` header signs exactly these bytes with one of the secrets, within 300 s of
 * `now` either way. The SDK's own check decodes the bytes before it hashes them, and accepts any future time
 * and any time that starts with digits, so it would accept events that were never signed.
 */
function isSigned(
  body: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const read = readEventSignature(header, now)
  if (read === null) return false
  const signatures = read.signatures.map((signature) => Buffer.from(signature, 'hex'))
  return secrets
    .filter((secret) => secret.trim() !== '')
    .map((secret) => createHmac('sha256', secret).update(`${read.time}.`).update(body).digest())
    .some((expected) => signatures.some((signature) => timingSafeEqual(signature, expected)))
}

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
