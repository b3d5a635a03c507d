import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose'

/** A set of keys that can be used, by `kid`. */
export interface KeySet {
  readonly kids: ReadonlySet<string>
  /** Jose's look-up, over the usable keys alone. */
  readonly keyOf: ReturnType<typeof createLocalJWKSet>
}

/** The time that a whole refresh may take, and the most bytes of one answer. */
const timeoutMs = 2_000
const bytesMax = 262_144

async function readBounded(response: Response): Promise<string> {
  if (response.body === null) throw new Error('an empty answer')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`an answer of more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

async function fetchJson(
  fetchUrl: typeof fetch,
  url: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const response = await fetchUrl(url, { redirect: 'error', signal, headers: { Accept: 'application/json' } })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}`)
  }
  const value: unknown = JSON.parse(await readBounded(response))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${url} holds no object`)
  return value as Record<string, unknown>
}

function bytesOf(encoded: unknown): Buffer {
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64url') : Buffer.alloc(0)
}

function bitLength(bytes: Buffer): number {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first === -1 ? 0 : (bytes.length - first) * 8 - Math.clz32(bytes[first] ?? 0) + 24
}

function strongEnough(jwk: JWK): boolean {
  switch (jwk.kty) {
    case 'RSA': {
      const exponent = bytesOf(jwk.e)
      const large = exponent.length > 6 || exponent.readUIntBE(0, Math.max(1, exponent.length)) >= 65_537
      return (
        exponent.length > 0 &&
        large &&
        ((exponent.at(-1) ?? 0) & 1) === 1 &&
        bitLength(bytesOf(jwk.n)) >= 2_048
      )
    }
    case 'EC':
      return jwk.crv === 'P-256'
    case 'OKP':
      return jwk.crv === 'Ed25519'
    default:
      return false
  }
}

/** Whether a key may check signatures: public, asymmetric, strong, meant for it, and named. */
export function isUsable(jwk: JWK): boolean {
  const { kid, use, key_ops: operations } = jwk
  return (
    typeof kid === 'string' &&
    kid.length > 0 &&
    kid.length <= 255 &&
    !('d' in jwk) &&
    !('k' in jwk) &&
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify'))) &&
    strongEnough(jwk)
  )
}

/**
 * The usable keys of a JWK set (RFC 7517).
 * @throws Error when there is none, or two have the same `kid`.
 */
export function keySetOf(jwks: Record<string, unknown>): KeySet {
  if (!Array.isArray(jwks.keys)) throw new Error('the key set has no list of keys')
  const keys = jwks.keys.filter(
    (jwk: unknown): jwk is JWK => typeof jwk === 'object' && jwk !== null && isUsable(jwk),
  )
  const kids = new Set(keys.map(({ kid }) => String(kid)))
  if (keys.length === 0) throw new Error('the key set has no usable key')
  if (kids.size !== keys.length) throw new Error('the key set uses a kid twice')
  return { kids, keyOf: createLocalJWKSet({ keys } as JSONWebKeySet) }
}

/**
 * Fetches the keys of an issuer by OpenID Connect Discovery: within 2 s, without redirects, at most 256 KiB an answer.
 * @throws Error that says what was wrong.
 */
export async function fetchKeySet(issuer: string, fetchUrl: typeof fetch): Promise<KeySet> {
  const signal = AbortSignal.timeout(timeoutMs)
  const discovery = await fetchJson(
    fetchUrl,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    signal,
  )
  if (discovery.issuer !== issuer) throw new Error('the discovery document names another issuer')
  if (typeof discovery.jwks_uri !== 'string') throw new Error('the discovery document names no key set')
  return keySetOf(await fetchJson(fetchUrl, discovery.jwks_uri, signal))
}
