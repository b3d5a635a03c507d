import { createHmac, timingSafeEqual } from 'node:crypto'
import { readEventSignature } from '#shared/core/event-signature.js'

/**
 * Whether a `Stripe-Signature` header signs exactly these bytes with one of the secrets, within 300 s of
 * `now` either way. The SDK's own check decodes the bytes before it hashes them, and accepts any future time
 * and any time that starts with digits, so it would accept events that were never signed.
 */
export function isSigned(
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
