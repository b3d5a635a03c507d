import { createHmac, timingSafeEqual } from 'node:crypto'

/** How far the time of a signature may lie from ours, before or after, in milliseconds. */
const toleranceMs = 300_000

/** Longer than any header with a handful of signatures; what is longer is not looked at. */
const headerLengthMax = 4_096

interface SignatureHeader {
  /** As it was signed. */
  readonly time: string
  readonly signatures: readonly Buffer[]
}

/** The parts of a header such as `t=1893456000,v1=5257…,v0=…`; `null` unless it has just one time, of digits alone. */
function readHeader(header: string): SignatureHeader | null {
  if (header.length > headerLengthMax) return null
  const times: string[] = []
  const signatures: Buffer[] = []
  for (const part of header.split(',')) {
    const [, name, value] = /^([a-z0-9]+)=(.*)$/.exec(part) ?? []
    if (name === 't' && value !== undefined) times.push(value)
    if (name === 'v1' && value !== undefined && /^[0-9a-f]{64}$/.test(value)) {
      signatures.push(Buffer.from(value, 'hex'))
    }
  }
  const [time, second] = times
  return time === undefined || second !== undefined || !/^\d{1,12}$/.test(time) ? null : { time, signatures }
}

/**
 * Whether a `Stripe-Signature` header signs just these bytes with one of the secrets, within 300 s of `now`, not earlier
 * and not later. The SDK's own check decodes the bytes before it hashes them, takes any time of the future and the number
 * at the beginning of any time, so it would let through what was never signed.
 */
export function isSigned(
  body: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  now: Date,
): boolean {
  const read = header === undefined ? null : readHeader(header)
  if (read === null || Math.abs(now.getTime() - Number(read.time) * 1000) > toleranceMs) return false
  return secrets
    .filter((secret) => secret.trim() !== '')
    .map((secret) => createHmac('sha256', secret).update(`${read.time}.`).update(body).digest())
    .some((expected) => read.signatures.some((signature) => timingSafeEqual(signature, expected)))
}
