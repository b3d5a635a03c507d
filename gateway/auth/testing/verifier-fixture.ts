import { createLogger } from '#libs/log/logger.js'
import type { RequiredClaim } from '../required-claims.js'
import { createTokenVerifier, type TokenVerifier } from '../verify-identity-token.js'
import { signedBy } from './compact-token.js'
import { type MemoryIssuer, memoryIssuer } from './memory-issuer.js'
import { newSigningKey, type SigningKey } from './signing-key.js'

/** A clock that stands still until it is moved. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  now(): number
  /** The same in seconds, as claims count. */
  seconds(): number
  advance(seconds: number): void
}

/** A clock that begins on a day in 2026. */
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

/** A verifier that trusts one issuer in memory, and what a test needs to make tokens for it. */
export interface VerifierFixture {
  readonly audience: string
  readonly clock: FakeClock
  readonly issuer: MemoryIssuer
  readonly key: SigningKey
  readonly verifier: TokenVerifier
  /** Every line that the verifier logged. */
  readonly logLines: readonly string[]
  /** Claims that hold for an hour, with others added or, by `undefined`, left out. */
  claims(changes?: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** A token of such claims, signed by the issuer's key. */
  token(changes?: Readonly<Record<string, unknown>>): string
}

/** Everything around a new verifier, which admits every token of its issuer unless claims are required. */
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
