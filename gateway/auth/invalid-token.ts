import { DomainError } from '#libs/core/domain-error.js'

/**
 * 401 `invalid_token`: the same response whatever was wrong, so that forgers learn nothing. `reason` goes into the
 * cause, which only logs see; it never quotes the token.
 */
export function invalidToken(reason: string, cause?: unknown): DomainError {
  return new DomainError(
    'unauthenticated',
    'invalid_token',
    'Invalid or expired identity token. Sign in again to get a new one.',
    {},
    { cause: new Error(reason, { cause }) },
  )
}
