import { createRevalidatingCache } from '#libs/cache/revalidating-cache.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { KeySet, VerificationKey } from './key-set.js'

/** How long a set serves, and how often its issuer is asked for another, in milliseconds. */
const times = {
  freshMs: 300_000,
  /** It bounds how long a key that was taken back may still work. */
  staleMs: 600_000,
  maxMs: 86_400_000,
  retryMs: 30_000,
  firstRetryMs: 1_000,
}

/** The keys of one issuer, at hand. */
export interface JwksCache {
  /**
   * The key of this name, or `undefined` when the issuer has none such. A name not seen before has the set fetched
   * again, at most once in 30 seconds, so a new key works within that time.
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

/**
 * Keeps the keys of an issuer. A set is fresh for 5 minutes and then renewed in the background; a removed key stops
 * working within 10 minutes while the issuer responds. When it does not, the last good set serves for 24 hours, and each
 * failed attempt is logged as an error. Attempts never overlap.
 */
export function createJwksCache({ issuer, fetchKeys, now, log }: JwksCacheParts): JwksCache {
  const failed = metrics.jwksRefreshFailures.series()
  const cache = createRevalidatingCache({
    load: fetchKeys,
    ...times,
    now,
    onFailure(error) {
      failed.inc()
      log.error(
        { event: 'jwks_fetch_failed', err: error, issuer, has_keys: cache.current() !== undefined },
        'issuer keys could not be fetched',
      )
    },
  })
  return {
    async find(kid) {
      const key = await cache.find((keys) => keys.get(kid))
      if (key === undefined && cache.current() === undefined) throw issuerUnavailable(cache.retryInMs())
      return key
    },
    fill: cache.fill,
    isFilled: () => cache.current() !== undefined,
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
