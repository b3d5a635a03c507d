import { invalidToken } from './invalid-token.js'
import type { Claims } from './token-claims.js'

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
