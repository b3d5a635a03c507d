import { invalidToken } from './invalid-token.js'

/** The claims of a token by name. A map, so that a name such as `__proto__` has no special meaning. */
export type Claims = ReadonlyMap<string, unknown>

/** When a token is valid, in milliseconds since 1970: from the first instant until before the second. */
export interface Validity {
  readonly from: number
  readonly until: number
}

/** The tolerated difference between the clocks of an issuer and this process, in seconds. */
export const skewSeconds = 60
/** How long after its issue a token is accepted, whatever its `exp`, in seconds. */
export const ageSecondsMax = 86_400

const subjectPattern = /^[\x20-\x7e]{1,255}$/

/** The time in a claim, in seconds since 1970; RFC 7519 allows fractions. JSON has numbers that are not finite: 1e309. */
function timeOf(claims: Claims, name: string): number {
  const value = claims.get(name)
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidToken(`${name} is missing or not a number`)
  return value
}

/**
 * The validity of a token, tolerance included: until before 60 s after `exp`, and from 60 s before `nbf` and `iat`.
 * @throws DomainError 401 `invalid_token` if `exp` or `iat` is missing, or one of the three is not a finite number.
 */
export function readValidity(claims: Claims): Validity {
  const expiry = timeOf(claims, 'exp')
  const issued = timeOf(claims, 'iat')
  const start = claims.has('nbf') ? Math.max(issued, timeOf(claims, 'nbf')) : issued
  return {
    from: (start - skewSeconds) * 1_000,
    until: (Math.min(expiry, issued + ageSecondsMax) + skewSeconds) * 1_000,
  }
}

/** @throws DomainError 401 `invalid_token` when `iat` is missing or not a finite number. */
export function readIssuedAt(claims: Claims): Date {
  return new Date(timeOf(claims, 'iat') * 1_000)
}

/**
 * The subject: 1 to 255 characters of printable ASCII, as OpenID Connect Core §2 has it.
 * @throws DomainError 401 `invalid_token`.
 */
export function readSubject(claims: Claims): string {
  const subject = claims.get('sub')
  if (typeof subject !== 'string' || !subjectPattern.test(subject)) {
    throw invalidToken('sub is missing or malformed')
  }
  return subject
}

/**
 * Checks that the token was issued for one of our clients: `aud` is it or lists it, and so is `azp`, which is
 * required if several are listed (OpenID Connect Core §3.1.3.7).
 * @throws DomainError 401 `invalid_token` if it was not.
 */
export function checkAudience(claims: Claims, clients: readonly string[]): void {
  const audience = claims.get('aud')
  const audiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience]
  const party = claims.has('azp') ? claims.get('azp') : audiences.length === 1 ? audiences[0] : undefined
  if (!clients.some((client) => client === party && audiences.includes(client))) {
    throw invalidToken('the token was made for another audience')
  }
}
