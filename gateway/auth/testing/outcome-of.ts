import { DomainError } from '#libs/core/domain-error.js'

/** What came of a verification: `accepted`, or all of the refusal that a caller may see. */
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

/** The one refusal of every token that does not hold. */
export const invalid = {
  kind: 'unauthenticated',
  code: 'invalid_token',
  message: 'Invalid or expired identity token. Sign in again to get a new one.',
  details: {},
}
