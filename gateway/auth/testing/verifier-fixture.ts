import { createLogger } from '#libs/log/logger.js'
import type { RequiredClaim } from '../required-claims.js'
import { createTokenVerifier, type TokenVerifier } from '../verify-identity-token.js'
import { signedBy } from './compact-token.js'
import { type MemoryIssuer, memoryIssuer } from './memory-issuer.js'
import { newSigningKey, type SigningKey } from './signing-key.js'

/** A clock that moves only when told to. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The same in seconds, the unit of claims. */
  seconds(): number
  advance(seconds: number): void
}

/** Starts in 2026. */
export function fakeClock(): FakeClock {
  let nowMs = 1_780_000_000_000
  return {
    now: () => nowMs,
    seconds: () => nowMs / 1_000,
    advance(seconds) {
      nowMs += seconds * 1_000
    },
  }
}

/** A verifier that trusts one in-memory issuer, and the means to make tokens for it. */
export interface VerifierFixture {
  readonly audience: string
  readonly clock: FakeClock
  readonly issuer: MemoryIssuer
  readonly key: SigningKey
  readonly verifier: TokenVerifier
  /** The log of the verifier. */
  readonly logLines: readonly string[]
  /** Claims that are valid for an hour, with changes; `undefined` removes a claim. */
  claims(changes?: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** A token of such claims, signed by the issuer's key. */
  token(changes?: Readonly<Record<string, unknown>>): string
}

export function verifierFixture(
  key: SigningKey = newSigningKey('first'),
  requiredClaims: readonly RequiredClaim[] = [],
): VerifierFixture {
  const clock = fakeClock()
  const issuer = memoryIssuer('https://issuer.test', [key])
  const audience = 'snipkeep-tests'
  const logLines: string[] = []
  const log = createLogger('test', 'error', { write: (line) => void logLines.push(line) })
  const verifier = createTokenVerifier({
    issuers: [{ issuer: issuer.url, audience }],
    requiredClaims,
    now: clock.now,
    fetch: issuer.fetch,
    log,
  })
  const claims: VerifierFixture['claims'] = (changes = {}) => ({
    iss: issuer.url,
    aud: audience,
    sub: 'alice',
    iat: clock.seconds(),
    exp: clock.seconds() + 3_600,
    ...changes,
  })
  const token: VerifierFixture['token'] = (changes) => signedBy(key, claims(changes))
  return { audience, clock, issuer, key, verifier, logLines, claims, token }
}
