import { invalidToken } from './invalid-token.js'
import type { Claims } from './token-claims.js'

/** What only an ID token has: it belongs to one sign-in, or vouches for what was issued beside it. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash'] as const
/** What an access token may be used for, in the words of RFC 9068 and of Entra and Okta. */
const scopeClaims = ['scope', 'scp'] as const
/** The claim `typ` of an ID token, exactly as Keycloak and as Rauthy write it. */
const idTokenTypes: readonly unknown[] = ['ID', 'Id']

/** Whether these are the claims of a CI job: anyone can have one say whatever audience he likes. */
function isOfJob(claims: Claims): boolean {
  const has = (...names: readonly string[]): boolean => names.every((name) => claims.has(name))
  return has('repository', 'run_id') || has('project_path', 'job_id') || has('project_path', 'pipeline_id')
}

/** The reason why these claims are not those of an ID token, or `null`. */
function otherKind(claims: Claims): string | null {
  // Logout tokens (OpenID Connect Back-Channel Logout §2.4) and other security events.
  if (claims.has('events')) return 'the token is a security event token'
  // Keycloak: ID, Bearer, Refresh, Logout and others. Rauthy: Id, Bearer, DPoP, Refresh, logout+jwt.
  if (claims.has('typ') && !idTokenTypes.includes(claims.get('typ'))) return 'the claim typ is not ID'
  // Cognito: id or access.
  if (claims.has('token_use') && claims.get('token_use') !== 'id') return 'the claim token_use is not id'
  if (isOfJob(claims)) return 'the token is of a CI job'
  const hasScope = scopeClaims.some((name) => claims.has(name))
  if (hasScope && !idTokenClaims.some((name) => claims.has(name))) return 'the token is an access token'
  return null
}

/**
 * Checks that a token is an ID token. Issuers sign other kinds with the same keys, some for the same audience; they
 * must not work as sign-ins here.
 * @throws DomainError 401 `invalid_token` if it is of another kind.
 */
export function checkTokenKind(claims: Claims): void {
  const reason = otherKind(claims)
  if (reason !== null) throw invalidToken(reason)
}
