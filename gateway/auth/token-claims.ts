import { invalidToken } from './invalid-token.js'
import { type JsonMembers, parseJsonMembers } from './json-members.js'

const subjectPattern = /^[\x20-\x7e]{1,255}$/

/**
 * Reads the payload of a token as claims.
 * @throws DomainError 401 `invalid_token` when it is not a JSON object in UTF-8, or names a claim twice.
 */
export function parseClaims(payload: Uint8Array): JsonMembers {
  try {
    return parseJsonMembers(payload)
  } catch (cause) {
    throw invalidToken('the payload is not a JSON object', cause)
  }
}

/**
 * The subject: 1 to 255 characters of printable ASCII, as OpenID Connect Core §2 has it.
 * @throws DomainError 401 `invalid_token`.
 */
export function readSubject(claims: JsonMembers): string {
  const subject = claims.get('sub')
  if (typeof subject !== 'string' || !subjectPattern.test(subject)) {
    throw invalidToken('sub is missing or malformed')
  }
  return subject
}

/**
 * Whether the token was made for `client`: `aud` is it or lists it, and whoever asked for the token, which must be said
 * when several are listed, is it as well.
 */
function isMadeFor(client: string, audiences: readonly unknown[], party: unknown): boolean {
  if (!audiences.includes(client)) return false
  return party === undefined ? audiences.length === 1 : party === client
}

/**
 * Checks that the token was made for one of our clients.
 * @throws DomainError 401 `invalid_token` when it was not.
 */
export function checkAudience(claims: JsonMembers, clients: readonly string[]): void {
  const audience = claims.get('aud')
  const audiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience]
  const areNames = audiences.every((item) => typeof item === 'string')
  const party = claims.get('azp')
  if (!areNames || !clients.some((client) => isMadeFor(client, audiences, party))) {
    throw invalidToken('the token was made for another audience')
  }
}
