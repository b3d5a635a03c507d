import { createRevalidatingCache } from '#libs/cache/revalidating-cache.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { KeySet } from './key-set.js'

const times = {
  freshMs: 300_000,
  /** Bounds how long a removed key still works. */
  staleMs: 600_000,
  maxMs: 86_400_000,
  retryMs: 30_000,
  firstRetryMs: 1_000,
}

export interface JwksCacheDependencies {
  readonly issuer: string
  /** Fetches the published set; rejects if it is unusable. */
  readonly fetchKeys: () => Promise<KeySet>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: Pick<Logger, 'error'>
}

/**
 * A set is fresh for 5 minutes, then renewed in the background; a removed key stops working within 10 minutes while the
 * issuer responds. If it does not, the last good set is used for up to 24 hours, and each failed attempt is logged as
 * an error. Attempts never overlap.
 */
export function createJwksCache({ issuer, fetchKeys, now, log }: JwksCacheDependencies) {
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
    /**
     * `undefined` if the issuer has no such key. An unknown `kid` triggers a fetch, at most once in 30 seconds, so a new
     * key works within that time.
     * @throws DomainError 503 `unavailable` if no set is cached and none can be fetched.
     */
    async find(kid: string) {
      const key = await cache.find((keys) => keys.get(kid))
      if (key === undefined && cache.current() === undefined) throw issuerUnavailable(cache.retryInMs())
      return key
    },
    /**
     * Fetches the set if none is cached; resolves even on failure. Retries after one second, then two, and so on up to
     * 30, so that a gateway that starts together with its issuer is soon ready.
     */
    fill: cache.fill,
    isFilled: () => cache.current() !== undefined,
  }
}

/** The cached keys of one issuer. */
export type JwksCache = Readonly<ReturnType<typeof createJwksCache>>

/** 503: the token cannot be verified now; the next fetch is due in `waitMs`. */
function issuerUnavailable(waitMs: number): DomainError {
  const message = 'The identity token cannot be verified: its issuer is unavailable. Try again later.'
  return new DomainError('unavailable', 'unavailable', message, {
    retry_after: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
}
