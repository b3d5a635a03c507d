import { DomainError } from '#libs/core/domain-error.js'
import { invalidToken } from './invalid-token.js'
import { tokenBytesMax } from './verify-identity-token.js'

/** What a request identifies its sender with; whether it is true is for others to find out. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'identity-token'; readonly token: string }
  | { readonly kind: 'api-key'; readonly key: string }

/** The scheme, spaces, and the `b64token` of RFC 6750. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

function tokenOf(authorization: string): string {
  if (authorization.length > tokenBytesMax + 'Bearer '.length) throw invalidToken('the header is too long')
  const token = bearer.exec(authorization)?.[1]
  if (token === undefined) throw invalidToken('the header is not "Bearer" and a token')
  return token
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}

/**
 * The credentials that stand in the headers, given as Node lists them: name, value, name, value. It reads the raw list
 * because `request.headers` hides a second `Authorization`. Nothing else of a request is a credential: neither its
 * query nor its cookies.
 * @throws DomainError 401 `ambiguous_credentials` when there are two, though they be equal; 401 `invalid_token` when
 * `Authorization` is anything but a well-formed bearer token.
 */
export function readCredentials(rawHeaders: readonly string[]): Credentials {
  const authorizations = valuesOf(rawHeaders, 'authorization')
  const keys = valuesOf(rawHeaders, 'x-api-key')
  if (authorizations.length + keys.length > 1) {
    throw new DomainError(
      'unauthenticated',
      'ambiguous_credentials',
      'More than one credential was sent. Send either one Authorization header or one X-API-Key header.',
    )
  }
  const [authorization] = authorizations
  if (authorization !== undefined) return { kind: 'identity-token', token: tokenOf(authorization) }
  const [key] = keys
  return key === undefined ? { kind: 'none' } : { kind: 'api-key', key }
}
