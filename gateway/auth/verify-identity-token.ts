import type { Logger } from '#libs/log/logger.js'
import { type Fetch, fetchKeySet } from './fetch-key-set.js'
import { invalidToken } from './invalid-token.js'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { type ProfileClaims, readProfile } from './profile-claims.js'
import { checkRequiredClaims, type RequiredClaim } from './required-claims.js'
import { parseSignedToken } from './signed-token.js'
import { checkAudience, parseClaims, readSubject } from './token-claims.js'
import { checkTokenKind } from './token-kind.js'
import { isTimely, readIssuedAt, readValidity, type Validity } from './validity.js'
import { createVerifiedTokens } from './verified-tokens.js'
import { verifySignature } from './verify-signature.js'

/** Who a token speaks of: the account is the pair of issuer and subject, and the rest informs. */
export interface IdentityClaims extends ProfileClaims {
  readonly issuer: string
  readonly subject: string
  readonly issuedAt: Date
}

/** Makes the check of a signature that is not known yet, or throws instead. */
export type Guard = (check: () => Promise<void>) => Promise<void>

/** Checks identity tokens. */
export interface TokenVerifier {
  /**
   * The claims of a token that holds.
   * @throws DomainError 401 `invalid_token`, the same whatever is wrong with it, but for a genuine token that lacks a
   * required claim; 503 `unavailable` when the keys of its issuer
   * are neither at hand nor to be had; whatever `guard` throws.
   */
  verify(token: string, guard?: Guard): Promise<IdentityClaims>
  /** Fetches the keys that are not at hand yet, so that the first caller need not wait; resolves when it failed too. */
  prepare(): Promise<void>
  /** Whether the keys of every issuer are at hand. */
  isReady(): boolean
}

/** What a verifier is made of. */
export interface TokenVerifierOptions {
  /** Whom to trust, and the audience that their tokens must name; an issuer may come once for each audience. */
  readonly issuers: readonly { readonly issuer: string; readonly audience: string }[]
  /** What tokens of all of them must carry; none unless given. */
  readonly requiredClaims?: readonly RequiredClaim[]
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly fetch?: Fetch
  readonly log: Pick<Logger, 'error'>
}

interface TrustedIssuer {
  readonly keys: JwksCache
  readonly audiences: string[]
}

interface Finding {
  readonly claims: IdentityClaims
  readonly validity: Validity
  readonly kid: string
  readonly thumbprint: string
}

function trustIssuers(options: TokenVerifierOptions): ReadonlyMap<string, TrustedIssuer> {
  const { now, log, fetch = globalThis.fetch } = options
  const trusted = new Map<string, TrustedIssuer>()
  for (const { issuer, audience } of options.issuers) {
    const audiences = trusted.get(issuer)?.audiences
    if (audiences !== undefined) audiences.push(audience)
    else {
      const keys = createJwksCache({ issuer, fetchKeys: () => fetchKeySet(issuer, fetch), now, log })
      trusted.set(issuer, { keys, audiences: [audience] })
    }
  }
  return trusted
}

async function check(
  compact: string,
  trusted: ReadonlyMap<string, TrustedIssuer>,
  { now, requiredClaims = [] }: Pick<TokenVerifierOptions, 'now' | 'requiredClaims'>,
  guard: Guard,
): Promise<Finding> {
  const token = parseSignedToken(compact)
  const payload = parseClaims(token.payload)
  const issuer = payload.get('iss')
  const trust = typeof issuer === 'string' ? trusted.get(issuer) : undefined
  if (typeof issuer !== 'string' || trust === undefined) throw invalidToken('the issuer is not trusted')
  // What the token claims is checked before its signature is, as it costs less and can have no keys fetched.
  checkTokenKind(payload)
  checkAudience(payload, trust.audiences)
  const validity = readValidity(payload)
  if (!isTimely(validity, now())) throw invalidToken('the token is not valid now')
  const claims = {
    issuer,
    subject: readSubject(payload),
    issuedAt: readIssuedAt(payload),
    ...readProfile(payload),
  }
  const key = await trust.keys.find(token.kid)
  if (key === undefined) throw invalidToken('the issuer has no such key')
  await guard(() => verifySignature(token, key))
  // Only whoever holds a genuine token learns what this installation asks for.
  checkRequiredClaims(requiredClaims, payload)
  return { claims, validity, kid: token.kid, thumbprint: key.thumbprint }
}

/**
 * A verifier of ID tokens (OpenID Connect Core §3.1.3.7) of the given issuers. A token that held is remembered until it
 * expires or its issuer takes back the key that signed it, so it costs little to send it again. The keys of an issuer
 * are fetched from where its own discovery document says, and nothing in a token leads to any other request.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  const { now } = options
  const trusted = trustIssuers(options)
  const caches = [...trusted.values()].map((issuer) => issuer.keys)
  const verified = createVerifiedTokens<Finding>(now)

  /** The claims of a token that held before, if the key that signed it is still its issuer's. */
  const recall = async (token: string): Promise<IdentityClaims | undefined> => {
    const finding = verified.find(token)
    if (finding === undefined) return undefined
    const key = await trusted.get(finding.claims.issuer)?.keys.find(finding.kid)
    if (key?.thumbprint === finding.thumbprint) return finding.claims
    verified.forget(token)
    return undefined
  }

  return {
    async verify(token, guard = (check) => check()) {
      const recalled = await recall(token)
      if (recalled !== undefined) return recalled
      const finding = await check(token, trusted, options, guard)
      verified.remember(token, finding)
      return finding.claims
    },
    async prepare() {
      await Promise.all(caches.map((keys) => keys.fill()))
    },
    isReady: () => caches.every((keys) => keys.isFilled()),
  }
}
