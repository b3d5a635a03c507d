import { DomainError } from '#libs/core/domain-error.js'

/**
 * 401 `invalid_token`. The response is the same whatever is wrong, so that forgers learn nothing.
 * @param reason for the log only; must not quote the token.
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
