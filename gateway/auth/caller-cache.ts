import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createTtlCache, type Entry, type TtlCache } from '#libs/cache/ttl-cache.js'
import { type DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Caller } from '../http/request-context.js'

/** The result of a lookup, and how long it is valid. */
export interface FoundCaller {
  readonly caller: Caller
  /** Until the credential expires, in milliseconds; `null` when it does not or others see to it. */
  readonly timeLeftMs: number | null
}

/** A short-lived cache of who is behind a credential. */
export interface CallerCache {
  /**
   * The caller behind this credential: from the cache if it was loaded at most four seconds ago, else from `load`.
   * Concurrent calls for the same credential share one load. A credential that `load` rejects stays rejected just as
   * long.
   * @throws DomainError whatever `load` throws.
   */
  resolve(credential: string, load: () => Promise<FoundCaller>): Promise<Caller>
  /** Drops everything about this account, including pending loads. */
  forget(accountId: string): void
  /** Drops everything. */
  forgetAll(): void
}

/**
 * How long an entry is valid from the start of its load, in milliseconds: a change takes effect within five seconds
 * even without an invalidation, and one second of those is for the change itself.
 */
export const callerTtlMs = 4_000
const entriesMax = 20_000
/** Rejected credentials have a limit of their own, so that guessing cannot evict callers. */
const refusalsMax = 2_000

interface Refusal {
  readonly error: DomainError
  readonly until: number
}

/** Which credentials of an account are cached. */
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
 * A cache of at most 20,000 valid credentials and 2,000 rejected ones, keyed by SHA-256. No entry outlives its four
 * seconds, whatever is down. The result of a load that began before an invalidation is not cached.
 * @param now a monotonic clock in milliseconds.
 */
export function createCallerCache(now: () => number): CallerCache {
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
    async resolve(credential, load) {
      const digest = hash('sha256', credential, 'base64')
      return found.resolve(digest, () => {
        const refusal = refusals.get(digest)
        return refusal !== undefined && now() < refusal.until
          ? Promise.reject(refusal.error)
          : loadEntry(digest, load)
      })
    },
    forget(accountId) {
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
