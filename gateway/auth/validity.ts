import { invalidToken } from './invalid-token.js'
import type { JsonMembers } from './json-members.js'

/** When a token may be used, in milliseconds since 1970: from the first instant on, and before the second. */
export interface Validity {
  readonly from: number
  readonly until: number
}

/** How far the clocks of an issuer and ours may be apart, in seconds. */
const skewSeconds = 60
/** How long after its issue a token may be used, whatever `exp` it has, in seconds. */
const ageSecondsMax = 86_400

/** The time in a claim, in seconds since 1970; RFC 7519 allows fractions. */
function timeOf(claims: JsonMembers, name: string): number {
  const value = claims.get(name)
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidToken(`${name} is missing or no number`)
  return value
}

/**
 * The time that the claims allow, tolerance included: up to, not with, 60 s after `exp`; from 60 s before `nbf` and
 * `iat` on.
 * @throws DomainError 401 `invalid_token` when `exp` or `iat` is missing, or one of the three is no finite number.
 */
export function readValidity(claims: JsonMembers): Validity {
  const expiry = timeOf(claims, 'exp')
  const issued = timeOf(claims, 'iat')
  const start = claims.has('nbf') ? Math.max(issued, timeOf(claims, 'nbf')) : issued
  return {
    from: (start - skewSeconds) * 1_000,
    until: (Math.min(expiry, issued + ageSecondsMax) + skewSeconds) * 1_000,
  }
}

/**
 * When the token was issued.
 * @throws DomainError 401 `invalid_token` when `iat` is missing or no finite number.
 */
export function readIssuedAt(claims: JsonMembers): Date {
  return new Date(timeOf(claims, 'iat') * 1_000)
}

/** Whether the time has come and is not over. */
export function isTimely(validity: Validity, nowMs: number): boolean {
  return validity.from <= nowMs && nowMs < validity.until
}
