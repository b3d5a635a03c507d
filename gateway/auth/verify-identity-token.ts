import { hash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { type Fetch, fetchKeySet } from './fetch-key-set.js'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { algorithms, kidPattern } from './key-set.js'
import { type ProfileClaims, readProfile } from './profile-claims.js'
import {
  checkRequiredClaims,
  isOperator,
  type OperatorClaims,
  type RequiredClaim,
} from './required-claims.js'
import {
  ageSecondsMax,
  type Claims,
  checkAudience,
  checkTokenKind,
  invalidToken,
  readAuthTime,
  readIssuedAt,
  readSubject,
  readValidity,
  skewSeconds,
  type Validity,
} from './token-claims.js'

/** The pair of issuer and subject identifies the account; the rest is information. */
export interface IdentityClaims extends ProfileClaims {
  readonly issuer: string
  readonly subject: string
  readonly issuedAt: Date
  /** When the holder signed in; `null` if the token does not say. */
  readonly authenticatedAt: Date | null
  /** Whether a claim says that the holder operates this installation. */
  readonly isOperator: boolean
}

/** Wraps the check of a signature that is not cached; may throw instead of checking. */
export type Guard = (check: () => Promise<void>) => Promise<void>

export interface TokenVerifierOptions {
  /** The trusted issuers and the audience of their tokens; an issuer may appear once per audience. */
  readonly issuers: readonly { readonly issuer: string; readonly audience: string }[]
  /** The claims that every token must have; none by default. */
  readonly requiredClaims?: readonly RequiredClaim[]
  /** The claims of which an operator has one; none by default. */
  readonly operatorClaims?: OperatorClaims
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly fetch?: Fetch
  readonly log: Pick<Logger, 'error'>
}

interface TrustedIssuer {
  readonly keys: JwksCache
  readonly audiences: string[]
}

interface VerifiedToken {
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

export const tokenBytesMax = 16_384
/** Three parts without padding or white space, which jose would accept. */
const compactPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/
/** Header members that offer a key or change how the token is read. Unknown members are ignored. */
const forbiddenMembers = ['jwk', 'jku', 'x5c', 'x5u', 'crit', 'b64', 'zip', 'enc']

/**
 * The `kid` that a token names.
 * @throws DomainError 401 `invalid_token` if its form or header is not that of an ID token.
 */
export function readKid(compact: string): string {
  if (compact.length > tokenBytesMax) throw invalidToken('the token is too long')
  if (!compactPattern.test(compact)) throw invalidToken('the token does not have three parts')
  const header = parsed(() => decodeProtectedHeader(compact))
  if (forbiddenMembers.some((name) => Object.hasOwn(header, name)))
    throw invalidToken('the header has a forbidden member')
  const { kid, typ } = header
  if (typeof kid !== 'string' || !kidPattern.test(kid)) throw invalidToken('kid is missing or malformed')
  if (typ !== undefined && (typeof typ !== 'string' || typ.toUpperCase() !== 'JWT'))
    throw invalidToken('typ is not JWT')
  return kid
}

function parsed<Part>(parse: () => Part): Part {
  try {
    return parse()
  } catch (cause) {
    throw invalidToken('a part is not a JSON object', cause)
  }
}

async function check(
  compact: string,
  trusted: ReadonlyMap<string, TrustedIssuer>,
  {
    now,
    requiredClaims = [],
    operatorClaims = [],
  }: Pick<TokenVerifierOptions, 'now' | 'requiredClaims' | 'operatorClaims'>,
  guard: Guard,
): Promise<VerifiedToken> {
  const kid = readKid(compact)
  const payload: Claims = new Map(Object.entries(parsed(() => decodeJwt(compact))))
  const issuer = payload.get('iss')
  const trust = typeof issuer === 'string' ? trusted.get(issuer) : undefined
  if (typeof issuer !== 'string' || trust === undefined) throw invalidToken('the issuer is not trusted')
  // Before the signature: a stale token, or one for another client, then costs no signature check and no key fetch, and
  // does not count as a guess.
  checkTokenKind(payload)
  checkAudience(payload, trust.audiences)
  const validity = readValidity(payload)
  if (!isTimely(validity, now())) throw invalidToken('the token is not valid now')
  const claims = {
    issuer,
    subject: readSubject(payload),
    issuedAt: readIssuedAt(payload),
    authenticatedAt: readAuthTime(payload),
    isOperator: isOperator(operatorClaims, payload),
    ...readProfile(payload),
  }
  const key = await trust.keys.find(kid)
  if (key === undefined) throw invalidToken('the issuer has no such key')
  await guard(async () => {
    try {
      await jwtVerify(compact, key.forHeader, {
        algorithms,
        issuer,
        audience: trust.audiences,
        clockTolerance: skewSeconds,
        maxTokenAge: ageSecondsMax,
        currentDate: new Date(now()),
      })
    } catch (cause) {
      throw invalidToken('the token failed verification', cause)
    }
  })
  // Last, so that only the holder of a genuine token learns what this installation requires.
  checkRequiredClaims(requiredClaims, payload)
  return { claims, validity, kid, thumbprint: key.thumbprint }
}

/**
 * Verifies ID tokens (OpenID Connect Core §3.1.3.7). A verified token is cached until it expires or its issuer removes
 * the signing key. Keys are fetched only from the address in the issuer's discovery document; nothing in a token causes
 * any other request.
 */
export function createTokenVerifier(options: TokenVerifierOptions) {
  const { now } = options
  const trusted = trustIssuers(options)
  const caches = [...trusted.values()].map((issuer) => issuer.keys)
  const verified = createVerifiedTokens<VerifiedToken>(now)

  /** The claims of a cached token, if its signing key is still published. */
  const recall = async (token: string): Promise<IdentityClaims | undefined> => {
    const found = verified.find(token)
    if (found === undefined) return undefined
    const key = await trusted.get(found.claims.issuer)?.keys.find(found.kid)
    if (key?.thumbprint === found.thumbprint) return found.claims
    verified.forget(token)
    return undefined
  }

  return {
    /**
     * @throws DomainError 401 `invalid_token`, the same whatever is wrong, except for a genuine token that lacks a
     *   required claim; 503 `unavailable` if the keys of its issuer are neither cached nor available; whatever `guard`
     *   throws.
     */
    async verify(token: string, guard: Guard = (check) => check()) {
      const recalled = await recall(token)
      if (recalled !== undefined) return recalled
      const found = await check(token, trusted, options, guard)
      verified.remember(token, found)
      return found.claims
    },
    /** Fetches missing keys, so that the first caller does not wait; resolves even on failure. */
    async prepare() {
      await Promise.all(caches.map((keys) => keys.fill()))
    },
    /** Whether the keys of every issuer are cached. */
    isReady: () => caches.every((keys) => keys.isFilled()),
  }
}

/** Verifies identity tokens. */
export type TokenVerifier = Readonly<ReturnType<typeof createTokenVerifier>>

function isTimely(validity: Validity, nowMs: number): boolean {
  return validity.from <= nowMs && nowMs < validity.until
}

/** A cache of verified tokens. */
export interface VerifiedTokens<Verified> {
  /** The result for this exact token, while it is valid. */
  find(token: string): Verified | undefined
  remember(token: string, verified: Verified): void
  forget(token: string): void
}

export const tokensMax = 10_000

function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}

/**
 * Keeps at most `max` tokens, dropping the least recently used. The keys are SHA-256 digests, so that a memory dump
 * contains no usable token.
 */
export function createVerifiedTokens<Verified extends { readonly validity: Validity }>(
  now: () => number,
  max: number = tokensMax,
): VerifiedTokens<Verified> {
  const tokens = new LRUCache<string, Verified>({ max })
  const hits = metrics.verifiedTokenLookups.series('hit')
  const misses = metrics.verifiedTokenLookups.series('miss')
  return {
    find(token) {
      const digest = digestOf(token)
      const verified = tokens.get(digest)
      if (verified !== undefined && isTimely(verified.validity, now())) {
        hits.inc()
        return verified
      }
      misses.inc()
      tokens.delete(digest)
      return undefined
    },
    remember(token, verified) {
      tokens.set(digestOf(token), verified)
    },
    forget(token) {
      tokens.delete(digestOf(token))
    },
  }
}
