import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createTtlCache, type Entry, type TtlCache } from '#libs/cache/ttl-cache.js'
import { type DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Caller } from '../http/request-context.js'

/** What a look-up found, and for how long it may be believed. */
export interface FoundCaller {
  readonly caller: Caller
  /** Until the credential expires, in milliseconds; `null` when it does not or others see to it. */
  readonly timeLeftMs: number | null
}

/** A short-lived cache of who is behind a credential. */
export interface CallerCache {
  /**
   * Who is behind this credential: as it was found at most four seconds ago, else as `load` finds it. Whoever asks for
   * the same credential at the same time shares one load. A credential that `load` refuses stays refused as long.
   * @throws DomainError whatever `load` throws.
   */
  resolve(credential: string, load: () => Promise<FoundCaller>): Promise<Caller>
  /** Forgets everything about this account, loads that are under way included. */
  forget(accountId: string): void
  /** Forgets everything. */
  forgetAll(): void
}

/**
 * How long a finding may be used, counted from the moment the load began, in milliseconds: a change is felt within
 * five seconds though nobody is told of it, and one of them is for whoever makes it.
 */
export const callerTtlMs = 4_000
const entriesMax = 20_000
/** Refusals have places of their own, so that whoever guesses credentials drives no caller out. */
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
 * A cache of at most 20,000 credentials that are good and 2,000 that are not, known by their SHA-256. Nothing outlives
 * its four seconds, whatever is down, and what a load found that began before anything was forgotten is not kept.
 * @param now milliseconds that only grow.
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
