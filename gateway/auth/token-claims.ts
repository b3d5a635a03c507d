import { invalidToken } from './invalid-token.js'

/** The claims of a token by name. A map, so that a name such as `__proto__` has no special meaning. */
export type Claims = ReadonlyMap<string, unknown>

/** Half-open, in milliseconds since 1970. */
export interface Validity {
  readonly from: number
  readonly until: number
}

/** The tolerated clock difference between an issuer and this process. */
export const skewSeconds = 60
/** How long after its issue a token is accepted at most, whatever its `exp`. */
export const ageSecondsMax = 86_400

const subjectPattern = /^[\x20-\x7e]{1,255}$/

/** In seconds since 1970, possibly with a fraction (RFC 7519). JSON can overflow to infinity: 1e309. */
function timeOf(claims: Claims, name: string): number {
  const value = claims.get(name)
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidToken(`${name} is missing or not a number`)
  return value
}

/** A claim as text for comparison: a string itself, a number or boolean as JSON; `null` for any other type. */
export function claimText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null
}

/**
 * The validity with the tolerance of 60 s added at both ends.
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

/** @throws DomainError 401 `invalid_token` if `iat` is missing or not a finite number. */
export function readIssuedAt(claims: Claims): Date {
  return new Date(timeOf(claims, 'iat') * 1_000)
}

/** When the holder signed in (OpenID Connect Core §2); `null` if the token does not say. */
export function readAuthTime(claims: Claims): Date | null {
  const value = claims.get('auth_time')
  return typeof value === 'number' && Number.isFinite(value) ? new Date(value * 1_000) : null
}

/**
 * @throws DomainError 401 `invalid_token` unless `sub` is 1 to 255 printable ASCII characters (OpenID Connect Core §2).
 */
export function readSubject(claims: Claims): string {
  const subject = claims.get('sub')
  if (typeof subject !== 'string' || !subjectPattern.test(subject)) {
    throw invalidToken('sub is missing or malformed')
  }
  return subject
}

/**
 * Checks that the token was issued for one of our clients: `aud` is or lists the client, and `azp`, which is required
 * with several audiences, is the client (OpenID Connect Core §3.1.3.7).
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
