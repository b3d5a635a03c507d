import { hash } from 'node:crypto'
import { compactVerify, decodeJwt } from 'jose'
import { unprintable } from '#libs/core/field-rules.js'
import type { Logger } from '#libs/log/logger.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { type Fetch, fetchKeySet } from './fetch-key-set.js'
import { invalidToken } from './invalid-token.js'
import { createJwksCache, type JwksCache } from './jwks-cache.js'
import { algorithms } from './key-set.js'
import { type Claims, readIssuedAt, readValidity, skewSeconds } from './token-claims.js'
import { readKid } from './verify-identity-token.js'

/** What a CI job's token says, whose signature holds. */
export interface VerifiedAssertion {
  readonly issuer: string
  /** Its claims with one value, as text. */
  readonly claims: Readonly<Record<string, string>>
  /** Why it is not good now, or not for us. */
  readonly fault: 'other_audience' | 'expired' | 'not_yet_valid' | null
  /** SHA-256 of what tells it from others of its issuer, in lower-case hexadecimal. */
  readonly digest: string
  /** From when on no one accepts it any more. */
  readonly expiresAt: Date
}

/** Checks the tokens of CI jobs. */
export interface AssertionVerifier {
  readonly issuers: readonly CiIssuer[]
  /**
   * What a token says that one of these issuers signed.
   * @throws DomainError 401 `invalid_token` for any other; 503 `unavailable` when the keys of its issuer are neither at
   * hand nor to be had.
   */
  verify(token: string): Promise<VerifiedAssertion>
}

/** What a verifier is made of. */
export interface AssertionVerifierOptions {
  readonly issuers: readonly CiIssuer[]
  /** The address that a token must be made for: a job can have tokens for many services. */
  readonly audience: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly fetch?: Fetch
  readonly log: Pick<Logger, 'error'>
}

/** How long after its issue a token may be exchanged, whatever `exp` it has, in seconds: GitLab's live as long as their jobs. */
export const assertionAgeSecondsMax = 3_600
const claimsMax = 200
const claimNameMax = 100
const claimValueMax = 1_000

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null
}

/** The claims that can be compared: one value each, of a sensible length and without control characters. */
function comparable(claims: Claims): Readonly<Record<string, string>> {
  const texts: [string, string][] = []
  for (const [name, value] of claims) {
    const text = textOf(value)
    if (text === null || text.length > claimValueMax || name.length > claimNameMax) continue
    if (unprintable.test(text) || unprintable.test(name) || texts.length === claimsMax) continue
    texts.push([name, text])
  }
  return Object.fromEntries(texts)
}

/** A token for several audiences could be exchanged by each of them. */
function isForUs(claims: Claims, audience: string): boolean {
  const claim = claims.get('aud')
  const [only, ...more] = Array.isArray(claim) ? (claim as unknown[]) : [claim]
  return more.length === 0 && (only === audience || only === `${audience}/`)
}

/**
 * What tells an assertion from others: its `jti`, else what is signed. Never the whole token, for the same signature can be
 * written in several ways.
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
 * A verifier of the tokens of these issuers. Their keys are fetched when the first token comes, as those of issuers of
 * identity tokens are, and nothing in a token leads to any other request.
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
        throw invalidToken('the token does not hold', cause)
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
