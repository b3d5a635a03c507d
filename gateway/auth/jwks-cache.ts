import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { KeySet, VerificationKey } from './key-set.js'

/** Younger sets are not asked after, in milliseconds. */
const freshMs = 300_000
/**
 * Older ones are renewed before they are used again, unless the issuer is known to fail: it bounds how long a key that
 * was taken back may still work.
 */
const staleMs = 600_000
/** How long a set serves while the issuer cannot be reached. */
const keptMs = 86_400_000
/** The shortest time between two attempts to fetch, whatever came of the first. */
const retryMs = 30_000
/** The same after the first failure, for who waits until there are keys at all. */
const firstRetryMs = 1_000

/** The keys of one issuer, at hand. */
export interface JwksCache {
  /**
   * The key of this name, or `undefined` when the issuer has none such. A name not seen before has the set fetched
   * anew, at most once in 30 seconds, so a new key works within that time.
   * @throws DomainError 503 `unavailable` while no set is at hand and none can be fetched.
   */
  find(kid: string): Promise<VerificationKey | undefined>
  /**
   * Fetches the set when none is at hand; resolves whether or not it succeeds. After a failure it tries again in a second,
   * then in two, and so on up to 30: a gateway that starts together with its issuer waits no longer than it must.
   */
  fill(): Promise<void>
  isFilled(): boolean
}

/** What a cache of keys is made of. */
export interface JwksCacheParts {
  readonly issuer: string
  /** Fetches the set that is published now; rejects rather than give an unusable one. */
  readonly fetchKeys: () => Promise<KeySet>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
}

interface Fetching {
  readonly done: Promise<void>
  /** False when the attempt before failed just now: then callers go on with the set that they have. */
  readonly worthWaiting: boolean
}

/**
 * Keeps the keys of an issuer. A set is fresh for 5 minutes and then renewed in the background; a removed key stops
 * working within 10 minutes while the issuer answers. When it does not, the last good set serves for 24 hours, and each
 * failed attempt is logged as an error. Attempts never overlap.
 */
export function createJwksCache({ issuer, fetchKeys, now, log }: JwksCacheParts): JwksCache {
  let held: { readonly keys: KeySet; readonly askedAt: number } | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let fetching: Fetching | undefined
  const failed = metrics.jwksRefreshFailures.series()

  /** A clock that was put back counts as time gone by: better one fetch too many than none for an hour. */
  const hasPassed = (since: number, ms: number): boolean => now() - since >= ms || now() < since

  const current = (): typeof held => (held !== undefined && now() - held.askedAt < keptMs ? held : undefined)

  const attempt = async (askedAt: number): Promise<void> => {
    try {
      held = { keys: await fetchKeys(), askedAt }
      failures = 0
    } catch (error) {
      failures += 1
      failed.inc()
      log.error(
        { event: 'jwks_fetch_failed', err: error, issuer, has_keys: current() !== undefined },
        'issuer keys could not be fetched',
      )
    }
  }

  const refresh = (afterMs: number): void => {
    if (fetching !== undefined || !hasPassed(attemptedAt, afterMs)) return
    const worthWaiting = failures === 0 || hasPassed(attemptedAt, staleMs)
    attemptedAt = now()
    const done = attempt(attemptedAt).finally(() => {
      fetching = undefined
    })
    fetching = { done, worthWaiting }
  }

  const waitFor = async (under: Fetching | undefined): Promise<void> => {
    if (under !== undefined && (under.worthWaiting || current() === undefined)) await under.done
  }

  return {
    async find(kid) {
      const before = current()
      const known = before?.keys.get(kid)
      if (before !== undefined && known !== undefined && !hasPassed(before.askedAt, freshMs)) return known
      refresh(retryMs)
      if (before === undefined || known === undefined || hasPassed(before.askedAt, staleMs)) {
        await waitFor(fetching)
      }
      const after = current()
      if (after === undefined) throw issuerUnavailable(attemptedAt + retryMs - now())
      return after.keys.get(kid)
    },
    async fill() {
      if (current() !== undefined) return
      refresh(Math.min(retryMs, firstRetryMs * 2 ** (failures - 1)))
      await waitFor(fetching)
    },
    isFilled: () => current() !== undefined,
  }
}

/** 503: whether the token is good cannot be told now; the next attempt to find out is due in `waitMs`. */
function issuerUnavailable(waitMs: number): DomainError {
  return new DomainError(
    'unavailable',
    'unavailable',
    'The identity token cannot be verified: its issuer is unavailable. Try again later.',
    { retry_after: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
}
