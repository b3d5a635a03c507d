import { DomainError } from '#libs/core/domain-error.js'

/** The content of a `Stripe-Signature` header. */
export interface EventSignature {
  /** In seconds, as signed. */
  readonly time: string
  /** In hexadecimal; at least one. */
  readonly signatures: readonly string[]
}

/** The maximum difference between the time of a signature and ours, in milliseconds. */
const toleranceMs = 300_000

/** Longer than any header with a handful of signatures; longer ones are rejected unread. */
const headerLengthMax = 4_096

/**
 * Parses a header such as `t=1893456000,v1=5257…,v0=…`. `null` unless it has exactly one time, in digits and within
 * 300 s of `now`, and a `v1` signature: no body could match another header.
 */
export function readEventSignature(header: string | undefined, now: Date): EventSignature | null {
  if (header === undefined || header.length > headerLengthMax) return null
  const times: string[] = []
  const signatures: string[] = []
  for (const part of header.split(',')) {
    const [, name, value] = /^([a-z0-9]+)=(.*)$/.exec(part) ?? []
    if (name === 't' && value !== undefined) times.push(value)
    if (name === 'v1' && value !== undefined && /^[0-9a-f]{64}$/.test(value)) signatures.push(value)
  }
  const [time, second] = times
  if (time === undefined || second !== undefined || !/^\d{1,12}$/.test(time)) return null
  const timely = Math.abs(now.getTime() - Number(time) * 1000) <= toleranceMs
  return timely && signatures.length > 0 ? { time, signatures } : null
}

/** 400 `invalid_signature`, with the same message whatever is wrong, so that it reveals nothing. */
export function invalidSignature(): DomainError {
  return new DomainError('invalid', 'invalid_signature', 'Invalid webhook signature.')
}
