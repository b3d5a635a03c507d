import { DomainError } from '#libs/core/domain-error.js'

/**
 * 401 `invalid_token`. The response is the same whatever is wrong, so that forgers learn nothing.
 * @param reason for the log only; must not quote the token.
 */
export function invalidToken(reason: string, cause?: unknown): DomainError {
  const message = 'Invalid or expired identity token. Sign in again to get a new one.'
  return new DomainError(
    'unauthenticated',
    'invalid_token',
    message,
    {},
    { cause: new Error(reason, { cause }) },
  )
}

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
  if (typeof subject !== 'string' || !subjectPattern.test(subject))
    throw invalidToken('sub is missing or malformed')
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
  if (!clients.some((client) => client === party && audiences.includes(client)))
    throw invalidToken('the token was made for another audience')
}

/** Only an ID token has these: they tie it to one sign-in, or to a token or code issued with it. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash'] as const
/** The scopes of an access token, as named by RFC 9068, and by Entra and Okta. */
const scopeClaims = ['scope', 'scp'] as const
/** The claim `typ` of an ID token of Keycloak, and of Rauthy. */
const idTokenTypes: readonly unknown[] = ['ID', 'Id']

/** CI jobs choose the audience of their tokens themselves, so such a token proves no sign-in. */
function isOfJob(claims: Claims): boolean {
  const has = (...names: readonly string[]): boolean => names.every((name) => claims.has(name))
  return has('repository', 'run_id') || has('project_path', 'job_id') || has('project_path', 'pipeline_id')
}

/** Why these are not the claims of an ID token; `null` if they are. */
function otherKind(claims: Claims): string | null {
  // Logout tokens (OpenID Connect Back-Channel Logout §2.4) and other security events.
  if (claims.has('events')) return 'the token is a security event token'
  // Keycloak: ID, Bearer, Refresh, Logout and others. Rauthy: Id, Bearer, DPoP, Refresh, logout+jwt.
  if (claims.has('typ') && !idTokenTypes.includes(claims.get('typ'))) return 'the claim typ is not ID'
  // Cognito: id or access.
  if (claims.has('token_use') && claims.get('token_use') !== 'id') return 'the claim token_use is not id'
  if (isOfJob(claims)) return 'the token belongs to a CI job'
  const hasScope = scopeClaims.some((name) => claims.has(name))
  if (hasScope && !idTokenClaims.some((name) => claims.has(name))) return 'the token is an access token'
  return null
}

/**
 * Checks that a token is an ID token. Issuers sign other kinds of tokens with the same keys, some for the same
 * audience; those must not work as a sign-in.
 * @throws DomainError 401 `invalid_token` for any other kind.
 */
export function checkTokenKind(claims: Claims): void {
  const reason = otherKind(claims)
  if (reason !== null) throw invalidToken(reason)
}
