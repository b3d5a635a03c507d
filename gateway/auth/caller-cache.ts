import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createTtlCache, type Entry, type TtlCache } from '#libs/cache/ttl-cache.js'
import { type DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Caller } from '../request/request-context.js'

/** The result of a lookup. */
export interface FoundCaller {
  readonly caller: Caller
  /** Milliseconds until the credential expires; `null` if it does not, or if its expiry is checked elsewhere. */
  readonly timeLeftMs: number | null
}

/**
 * How long an entry is valid from the start of its load. A change must take effect within five seconds even if its
 * invalidation is lost; one second is left for the change itself.
 */
export const callerTtlMs = 4_000
const entriesMax = 20_000
/** Rejected credentials have a separate limit, so that guessing cannot evict callers. */
const refusalsMax = 2_000

interface Refusal {
  readonly error: DomainError
  readonly until: number
}

/** The cached credentials of each account. */
function createIndex() {
  const digestsOf = new Map<string, Set<string>>()
  return {
    add(digest: string, { accountId }: Caller): void {
      const digests = digestsOf.get(accountId) ?? new Set()
      digestsOf.set(accountId, digests.add(digest))
    },
    remove(digest: string, { accountId }: Caller): void {
      const digests = digestsOf.get(accountId)
      digests?.delete(digest)
      if (digests?.size === 0) digestsOf.delete(accountId)
    },
    of: (accountId: string): Iterable<string> => digestsOf.get(accountId) ?? [],
  }
}

function createFoundCallers(now: () => number, index: ReturnType<typeof createIndex>): TtlCache<Caller> {
  return createTtlCache<Caller>({
    now,
    sizeMax: entriesMax,
    sizeOf: () => 1,
    lookups: {
      hit: metrics.callerCacheLookups.series('hit'),
      shared: metrics.callerCacheLookups.series('shared'),
      miss: metrics.callerCacheLookups.series('miss'),
    },
    onKept: index.add,
    onDropped: index.remove,
  })
}

/**
 * Caches at most 20,000 valid credentials and 2,000 rejected ones, keyed by SHA-256. No entry outlives its four
 * seconds, even during an outage. The result of a load that began before an invalidation is not cached.
 * @param now a monotonic clock in milliseconds.
 */
export function createCallerCache(now: () => number) {
  const index = createIndex()
  const found = createFoundCallers(now, index)
  const refusals = new LRUCache<string, Refusal>({ max: refusalsMax })
  let changes = 0
  const forgottenAccounts = metrics.callerCacheInvalidations.series('account')
  const forgottenAll = metrics.callerCacheInvalidations.series('all')

  const loadEntry = async (digest: string, load: () => Promise<FoundCaller>): Promise<Entry<Caller>> => {
    const until = now() + callerTtlMs
    const began = changes
    try {
      const { caller, timeLeftMs } = await load()
      return { value: caller, ttlMs: Math.min(callerTtlMs, timeLeftMs ?? callerTtlMs) }
    } catch (error) {
      if (isCredentialRefusal(error) && changes === began) refusals.set(digest, { error, until })
      throw error
    }
  }

  return {
    /**
     * The caller behind this credential: from the cache if loaded at most four seconds ago, else from `load`. Concurrent
     * calls for the same credential share one load. A rejection by `load` is cached for as long.
     * @throws DomainError whatever `load` throws.
     */
    async resolve(credential: string, load: () => Promise<FoundCaller>) {
      const digest = hash('sha256', credential, 'base64')
      return found.resolve(digest, () => {
        const refusal = refusals.get(digest)
        return refusal !== undefined && now() < refusal.until
          ? Promise.reject(refusal.error)
          : loadEntry(digest, load)
      })
    },
    /** Drops every caller of this account, and discards the results of pending loads. */
    forget(accountId: string) {
      changes += 1
      forgottenAccounts.inc()
      found.forget(index.of(accountId))
    },
    forgetAll() {
      changes += 1
      forgottenAll.inc()
      refusals.clear()
      found.forgetAll()
    },
  }
}

/** A short-lived cache of callers by credential. */
export type CallerCache = Readonly<ReturnType<typeof createCallerCache>>
