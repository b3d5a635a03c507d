import { DomainError } from '#libs/core/domain-error.js'

/** What a request says about who sends it. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'identity-token'; readonly token: string }
  | { readonly kind: 'api-key'; readonly key: string }

/** The longest token that is looked at, in characters. */
export const tokenLengthMax = 16_384

/** 401 `invalid_token`: the same words whatever is wrong with it. */
export function invalidToken(cause?: unknown): DomainError {
  const message = 'The identity token is not valid, or no longer. Sign in again to get a new one.'
  return new DomainError('unauthenticated', 'invalid_token', message, {}, { cause })
}

function ambiguous(): DomainError {
  const message = 'The request carries several credentials. Send one Authorization or one X-API-Key header.'
  return new DomainError('unauthenticated', 'ambiguous_credentials', message)
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name,
  )
}

/** `Bearer`, one run of spaces, and characters of RFC 6750's b64token. */
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i

/**
 * The credentials in the headers of a request, as they stood on the wire; query and cookies are never looked at.
 * @throws DomainError `ambiguous_credentials` for more than one, `invalid_token` for an Authorization that is no Bearer
 * token.
 */
export function readCredentials(rawHeaders: readonly string[]): Credentials {
  const authorization = valuesOf(rawHeaders, 'authorization')
  const keys = valuesOf(rawHeaders, 'x-api-key')
  if (authorization.length + keys.length > 1) throw ambiguous()
  const [key] = keys
  if (key !== undefined) return { kind: 'api-key', key }
  const [header] = authorization
  if (header === undefined) return { kind: 'none' }
  const token = header.length > tokenLengthMax + 32 ? undefined : bearer.exec(header)?.[1]
  if (token === undefined || token.length > tokenLengthMax) throw invalidToken()
  return { kind: 'identity-token', token }
}
