import { calculateJwkThumbprint, createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose'

/** The allowed algorithms; the last two are the same, as named in RFC 8037 and in RFC 9864. */
export const algorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519']

export interface VerificationKey {
  /** Equal for equal keys (RFC 7638), however often the set is fetched. */
  readonly thumbprint: string
  /** Returns the key for the algorithm of a header; rejects if the key does not support it. */
  readonly forHeader: JWTVerifyGetKey
}

/** The usable keys of an issuer by `kid`; never empty. */
export type KeySet = ReadonlyMap<string, VerificationKey>

interface RsaParameters {
  readonly modulusLength: number
  readonly publicExponent: Uint8Array
}

const keysMax = 100
/** Larger keys make signature checks slower. */
const modulusBitsMax = 8_192
const modulusBitsMin = 2_048

/** A valid `kid`, in a key set or a header. */
export const kidPattern = /^[\x20-\x7e]{1,255}$/

function isRsaKey(key: object): key is { readonly algorithm: RsaParameters } {
  const algorithm: unknown = Reflect.get(key, 'algorithm')
  return typeof algorithm === 'object' && algorithm !== null && 'modulusLength' in algorithm
}

function isJwk(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * jose checks the size of an RSA key only when it verifies a signature, and never checks the exponent. With exponent 1,
 * anyone could sign.
 */
function isSoundRsa({ modulusLength: bits, publicExponent: exponent }: RsaParameters): boolean {
  const isLargeOdd = exponent.length >= 3 && exponent.length <= 8 && (exponent.at(-1) ?? 0) % 2 === 1
  return bits >= modulusBitsMin && bits <= modulusBitsMax && isLargeOdd
}

/** Whether the key is public and strong, and may be used with this algorithm. */
async function allows(forHeader: JWTVerifyGetKey, alg: string): Promise<boolean> {
  try {
    const key = await forHeader({ alg }, { payload: '', signature: '' })
    return !isRsaKey(key) || isSoundRsa(key.algorithm)
  } catch {
    return false
  }
}

interface UsableKey {
  readonly kid: string
  readonly jwk: JWK
  readonly thumbprint: string
}

async function readKey(given: unknown): Promise<UsableKey | undefined> {
  if (!isJwk(given) || typeof given.kid !== 'string' || !kidPattern.test(given.kid)) return undefined
  const { alg, ...rest } = given
  // jose compares the names of algorithms, but an Ed25519 key has two valid ones.
  const isEdDsa = given.kty === 'OKP' && (alg === 'EdDSA' || alg === 'Ed25519')
  const jwk = isEdDsa ? rest : given
  const forHeader = createLocalJWKSet({ keys: [jwk] })
  const allowed = await Promise.all(algorithms.map((algorithm) => allows(forHeader, algorithm)))
  if (!allowed.includes(true)) return undefined
  return { kid: given.kid, jwk, thumbprint: await calculateJwkThumbprint(given) }
}

/** The keys of one `kid` as one: the algorithm of a header tells apart keys of different types (RFC 7517 §4.5). */
function together(keys: readonly UsableKey[]): VerificationKey {
  if (new Set(keys.map(({ jwk }) => jwk.kty)).size !== keys.length)
    throw new Error('two keys of the set share a kid')
  const thumbprints = keys.map(({ thumbprint }) => thumbprint)
  return {
    thumbprint: thumbprints.sort().join(' '),
    forHeader: createLocalJWKSet({ keys: keys.map(({ jwk }) => jwk) }),
  }
}

/**
 * Reads the `keys` of a JWK set. Skips keys that are weak, private, symmetric, of another type, for another use or
 * without `kid`: an issuer may publish them for other clients.
 * @throws Error if no key is left, if two of those left share a `kid` and a type, or if there are more than 100 in all.
 */
export async function readKeySet(keys: unknown): Promise<KeySet> {
  if (!Array.isArray(keys)) throw new Error('the key set has no list of keys')
  if (keys.length > keysMax) throw new Error('the key set is too long')
  const read = await Promise.all(keys.map(readKey))
  const usable = read.filter((key) => key !== undefined)
  if (usable.length === 0) throw new Error('the key set has no usable key')
  const kids = new Set(usable.map(({ kid }) => kid))
  return new Map([...kids].map((kid) => [kid, together(usable.filter((key) => key.kid === kid))]))
}
