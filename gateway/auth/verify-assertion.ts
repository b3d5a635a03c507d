import { hash } from 'node:crypto'
import { compactVerify, decodeJwt } from 'jose'
import { unprintable } from '#libs/core/field-rules.js'
import type { Logger } from '#libs/log/logger.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { type Fetch, fetchKeySet } from './fetch-key-set.js'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { algorithms } from './key-set.js'
import {
  type Claims,
  claimText,
  invalidToken,
  readIssuedAt,
  readValidity,
  skewSeconds,
} from './token-claims.js'
import { readKid } from './verify-identity-token.js'

/** The token of a CI job, with a valid signature. */
export interface VerifiedAssertion {
  readonly issuer: string
  /** The claims with a single value, as text. */
  readonly claims: Readonly<Record<string, string>>
  /** Why it is not accepted despite its signature. */
  readonly fault: 'other_audience' | 'expired' | 'not_yet_valid' | null
  /** Identifies the token among those of its issuer: SHA-256 in lower-case hexadecimal. */
  readonly digest: string
  /** From then on it is rejected anyway. */
  readonly expiresAt: Date
}

/** Verifies the tokens of CI jobs. */
export interface AssertionVerifier {
  readonly issuers: readonly CiIssuer[]
  /**
   * Verifies that one of these issuers signed the token. Its time and audience are reported as `fault`.
   * @throws DomainError 401 `invalid_token` if none did; 503 `unavailable` if the keys of its issuer are neither cached
   *   nor available.
   */
  verify(token: string): Promise<VerifiedAssertion>
}

export interface AssertionVerifierOptions {
  readonly issuers: readonly CiIssuer[]
  /** The audience that a token must name: a job can get tokens for many services. */
  readonly audience: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly fetch?: Fetch
  readonly log: Pick<Logger, 'error'>
}

/** How long after its issue a token may be exchanged: those of GitLab are valid as long as their jobs. */
const assertionAgeSecondsMax = 3_600
const claimsMax = 200
const claimNameMax = 100
const claimValueMax = 1_000

/** The claims that rules can match: a single value of reasonable length, without control characters. */
function comparable(claims: Claims): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const [name, value] of claims) {
    const text = claimText(value)
    if (text === null || text.length > claimValueMax || name.length > claimNameMax) continue
    if (unprintable.test(text) || unprintable.test(name) || texts.length === claimsMax) continue
    texts.push([name, text])
  }
  return Object.fromEntries(texts)
}

/** Only as the single audience: any other audience of the token could also exchange it. */
function isForUs(claims: Claims, audience: string): boolean {
  const claim = claims.get('aud')
  const [only, ...more] = Array.isArray(claim) ? (claim as unknown[]) : [claim]
  return more.length === 0 && (only === audience || only === `${audience}/`)
}

/**
 * Digests the `jti`, or else the signed part: never the whole token, because the same signature can be encoded in
 * several ways.
 */
function digestOf(token: string, claims: Claims): string {
  const id = claims.get('jti')
  const signed = token.slice(0, token.lastIndexOf('.'))
  return hash('sha256', typeof id === 'string' && id !== '' ? `jti ${id}` : `signed ${signed}`, 'hex')
}

function payloadOf(token: string): Claims {
  try {
    return new Map(Object.entries(decodeJwt(token)))
  } catch (cause) {
    throw invalidToken('the payload is not a JSON object', cause)
  }
}

/**
 * Fetches the keys of an issuer when its first token arrives, through its discovery document. Nothing in a token causes
 * any other request.
 */
export function createAssertionVerifier(options: AssertionVerifierOptions): AssertionVerifier {
  const { issuers, audience, now, log, fetch = globalThis.fetch } = options
  const keysOf = new Map<string, JwksCache>(
    issuers.map(({ issuer }) => [
      issuer,
      createJwksCache({ issuer, fetchKeys: () => fetchKeySet(issuer, fetch), now, log }),
    ]),
  )
  return {
    issuers,
    async verify(token) {
      const kid = readKid(token)
      const claims = payloadOf(token)
      const issuer = claims.get('iss')
      const keys = typeof issuer === 'string' ? keysOf.get(issuer) : undefined
      if (typeof issuer !== 'string' || keys === undefined) throw invalidToken('the issuer is not trusted')
      const { from, until } = readValidity(claims)
      const key = await keys.find(kid)
      if (key === undefined) throw invalidToken('the issuer has no such key')
      try {
        await compactVerify(token, key.forHeader, { algorithms })
      } catch (cause) {
        throw invalidToken('the signature is invalid', cause)
      }
      const oldest = readIssuedAt(claims).getTime() + (assertionAgeSecondsMax + skewSeconds) * 1_000
      const end = Math.min(until, oldest)
      const time = now()
      const timeliness = time >= end ? 'expired' : time < from ? 'not_yet_valid' : null
      return {
        issuer,
        claims: comparable(claims),
        fault: isForUs(claims, audience) ? timeliness : 'other_audience',
        digest: digestOf(token, claims),
        expiresAt: new Date(end),
      }
    },
  }
}
