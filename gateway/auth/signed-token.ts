import { invalidToken } from './invalid-token.js'
import { type JsonMembers, parseJsonMembers } from './json-members.js'

/** The longest identity token that is looked at, in bytes. */
export const tokenBytesMax = 16_384

/** A token whose form is sound and whose signature nobody has checked yet. */
export interface SignedToken {
  readonly compact: string
  readonly algorithm: string
  readonly kid: string
  readonly payload: Uint8Array
}

/** What a header may hold. `x5t` is a thumbprint that some issuers add; it is not read, and it leads nowhere. */
const knownMembers = new Set(['alg', 'kid', 'typ', 'x5t', 'x5t#S256'])

/** A `kid` that a key set may hold and a header may name. */
export const kidPattern = /^[\x20-\x7e]{1,255}$/

/**
 * The bytes of one part. Any other spelling of the same bytes (padding, stray bits, foreign characters) is refused: a
 * token has one form.
 */
function decodePart(part: string): Uint8Array {
  const bytes = Buffer.from(part, 'base64url')
  if (part === '' || bytes.toString('base64url') !== part) throw invalidToken('a part is not base64url')
  return bytes
}

function readMembers(part: string): JsonMembers {
  const bytes = decodePart(part)
  try {
    return parseJsonMembers(bytes)
  } catch (cause) {
    throw invalidToken('the header is not a JSON object', cause)
  }
}

function readHeader(part: string): Pick<SignedToken, 'algorithm' | 'kid'> {
  const header = readMembers(part)
  for (const name of header.keys()) {
    if (!knownMembers.has(name)) throw invalidToken('the header has a member that is not known')
  }
  const algorithm = header.get('alg')
  const kid = header.get('kid')
  const type = header.get('typ')
  if (typeof algorithm !== 'string') throw invalidToken('alg is missing')
  if (typeof kid !== 'string' || !kidPattern.test(kid)) throw invalidToken('kid is missing or malformed')
  if (type !== undefined && (typeof type !== 'string' || type.toUpperCase() !== 'JWT')) {
    throw invalidToken('typ is not JWT')
  }
  return { algorithm, kid }
}

/**
 * Takes a compact JWS apart. Headers that would have a verifier fetch or believe a key (`jwk`, `jku`, `x5u`, `x5c`) or
 * change the rules (`crit`, `b64`) are refused with every other member that is not known; so is an encrypted token.
 * @throws DomainError 401 `invalid_token`.
 */
export function parseSignedToken(compact: string): SignedToken {
  if (compact.length > tokenBytesMax) throw invalidToken('the token is too long')
  const [header, payload, signature, ...more] = compact.split('.', 4)
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) {
    throw invalidToken('the token does not have three parts')
  }
  decodePart(signature)
  return { compact, ...readHeader(header), payload: decodePart(payload) }
}
