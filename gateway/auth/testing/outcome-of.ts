import { DomainError } from '#libs/core/domain-error.js'

/** `accepted`, or everything that a caller sees of the error. */
export async function outcomeOf(verification: Promise<unknown>): Promise<unknown> {
  try {
    await verification
    return 'accepted'
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const { kind, code, message, details } = error
    return { kind, code, message, details }
  }
}

/** The outcome of every invalid token. */
export const invalid = {
  kind: 'unauthenticated',
  code: 'invalid_token',
  message: 'Invalid or expired identity token. Sign in again to get a new one.',
  details: {},
}
