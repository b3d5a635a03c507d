import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { fetchKeySet } from './fetch-key-set.js'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { type IdentityClaims, readClaims } from './read-claims.js'
import { invalidToken, tokenLengthMax } from './read-credentials.js'
import { createVerifiedTokens } from './verified-tokens.js'
import { headerHolds, verifySignature } from './verify-signature.js'

/** Whom to trust, and by which clock. */
export interface TokenVerifierOptions {
  readonly issuers: readonly { readonly issuer: string; readonly audience: string }[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly fetch?: typeof fetch
  readonly log: Logger
}

/** Checks identity tokens. */
export interface TokenVerifier {
  /**
   * Who the token is about.
   * @throws DomainError `invalid_token`, in the same words whatever is wrong; `unavailable` when the issuer's keys
   * cannot be had.
   */
  verify(token: string): Promise<IdentityClaims>
}

interface Issuer {
  readonly issuer: string
  readonly audience: string
  readonly keys: JwksCache
}

interface Verified {
  readonly payload: Readonly<Record<string, unknown>>
  readonly issuer: Issuer
  readonly kid: string
}

const rememberedMax = 10_000

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not an object')
  return value as Record<string, unknown>
}

function partOf(token: string, index: number): Record<string, unknown> {
  return parseObject(Buffer.from(token.split('.')[index] ?? '', 'base64url'))
}

/** Verifies ID tokens of OpenID Connect; what was verified once is remembered until the token or its key ends. */
export function createTokenVerifier({
  issuers,
  now,
  log,
  fetch: fetchUrl = fetch,
}: TokenVerifierOptions): TokenVerifier {
  const trusted = new Map<string, Issuer>()
  for (const { issuer, audience } of issuers) {
    const keys = createJwksCache(issuer, () => fetchKeySet(issuer, fetchUrl), now, log)
    trusted.set(issuer, { issuer, audience, keys })
  }
  const remembered = createVerifiedTokens<Verified>(rememberedMax, now)

  const verifyAnew = async (token: string): Promise<Verified> => {
    const header = partOf(token, 0)
    const issuer = trusted.get(String(partOf(token, 1).iss))
    if (issuer === undefined || !headerHolds(header)) throw invalidToken()
    const kid = String(header.kid)
    const set = await issuer.keys.get(kid)
    if (!set.kids.has(kid)) throw invalidToken()
    const { payload } = await verifySignature(token, set.keyOf)
    return { payload: parseObject(payload), issuer, kid }
  }

  const recall = (token: string): Verified | undefined => {
    const known = remembered.get(token)
    if (known === undefined || known.issuer.keys.knows(known.kid)) return known
    remembered.delete(token)
    return undefined
  }

  return {
    async verify(token) {
      if (token.length > tokenLengthMax) throw invalidToken()
      try {
        const known = recall(token)
        // Asking for a key that is known keeps the set fresh and costs nothing.
        if (known !== undefined) await known.issuer.keys.get(known.kid)
        const verified = known ?? (await verifyAnew(token))
        const { issuer, audience } = verified.issuer
        const claims = readClaims(verified.payload, issuer, audience, now())
        if (claims === null) throw invalidToken()
        if (known === undefined) remembered.set(token, verified, (Number(verified.payload.exp) + 60) * 1_000)
        return claims
      } catch (error) {
        throw error instanceof DomainError ? error : invalidToken(error)
      }
    },
  }
}
