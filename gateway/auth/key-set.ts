import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose'
import { isSoundRsaKey } from './rsa-key.js'
import { kidPattern } from './signed-token.js'

/** A public key that may have signed tokens. */
export interface VerificationKey {
  /** The same for the same key (RFC 7638), however often its set is read. */
  readonly thumbprint: string
  readonly algorithms: readonly string[]
  readonly key: CryptoKey
}

/** The usable keys of an issuer by `kid`; never empty. */
export type KeySet = ReadonlyMap<string, VerificationKey>

type Members = Readonly<Record<string, unknown>>

const keysMax = 100
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the key is public, and meant to check signatures. */
function isForVerifying(jwk: Members): boolean {
  const { use, key_ops: operations } = jwk
  return (
    privateMembers.every((name) => jwk[name] === undefined) &&
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  )
}

function bigintOf(text: string): bigint {
  return BigInt(`0x${Buffer.from(text, 'base64url').toString('hex') || '0'}`)
}

/** The public members alone and the algorithms that the key may be used with, or `undefined` for a key of no use. */
function publicPart({ kty, crv, n, e, x, y }: Members): { jwk: JWK; algorithms: string[] } | undefined {
  if (kty === 'RSA' && typeof n === 'string' && typeof e === 'string') {
    if (!isSoundRsaKey({ modulus: bigintOf(n), exponent: bigintOf(e) })) return undefined
    return { jwk: { kty, n, e }, algorithms: ['RS256'] }
  }
  if (kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string') {
    return { jwk: { kty, crv, x, y }, algorithms: ['ES256'] }
  }
  if (kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string') {
    // Two names of one algorithm: RFC 8037 has the first, RFC 9864 the second.
    return { jwk: { kty, crv, x }, algorithms: ['EdDSA', 'Ed25519'] }
  }
  return undefined
}

async function importKey(jwk: JWK, algorithms: readonly string[]): Promise<VerificationKey | undefined> {
  try {
    const key = await importJWK(jwk, algorithms[0])
    if (key instanceof Uint8Array) return undefined
    return { thumbprint: await calculateJwkThumbprint(jwk), algorithms, key }
  } catch {
    // A point that is not on its curve, or numbers that are no base64url.
    return undefined
  }
}

async function readKey(value: unknown): Promise<readonly [string, VerificationKey] | undefined> {
  if (!isMembers(value) || !isForVerifying(value)) return undefined
  const { kid, alg } = value
  if (typeof kid !== 'string' || !kidPattern.test(kid)) return undefined
  const part = publicPart(value)
  if (part === undefined) return undefined
  if (alg !== undefined && !part.algorithms.some((algorithm) => algorithm === alg)) return undefined
  const key = await importKey(part.jwk, part.algorithms)
  return key === undefined ? undefined : [kid, key]
}

/**
 * Reads the `keys` of a JWK set. Keys that are weak, private, symmetric, of another kind, for another use or without
 * `kid` are left out, as an issuer may publish them for others.
 * @throws Error when no key is left, when two of those left share a `kid`, or when there are more than 100 in all.
 */
export async function readKeySet(keys: unknown): Promise<KeySet> {
  if (!Array.isArray(keys)) throw new Error('the key set has no list of keys')
  if (keys.length > keysMax) throw new Error('the key set is too long')
  const read = await Promise.all(keys.map(readKey))
  const usable = read.filter((entry) => entry !== undefined)
  const set = new Map(usable)
  if (set.size === 0) throw new Error('the key set has no usable key')
  if (set.size !== usable.length) throw new Error('two keys of the set share a kid')
  return set
}
