import { hash } from 'node:crypto'
import { DomainError } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Caller } from '../exchange.js'

/** What a look-up found, and for how long it may be believed. */
export interface FoundCaller {
  readonly caller: Caller
  /** Until the credential expires, in milliseconds; `null` when it does not or others see to it. */
  readonly timeLeftMs: number | null
}

/** A short memory of who is behind a credential. */
export interface CallerCache {
  /**
   * Who is behind this credential: as it was found at most four seconds ago, else as `look` finds it. Whoever asks for
   * the same credential at the same time shares one look-up. A credential that `look` refuses stays refused as long.
   * @throws DomainError whatever `look` throws.
   */
  resolve(credential: string, look: () => Promise<FoundCaller>): Promise<Caller>
  /** Forgets everything about this account, look-ups that are under way included. */
  forget(accountId: string): void
  /** Forgets everything. */
  forgetAll(): void
}

/**
 * How long a finding may be used, counted from the moment the look-up began, in milliseconds: a change is felt within
 * five seconds though nobody is told of it, and one of them is for whoever makes it.
 */
export const callerLifeMs = 4_000
const entriesMax = 20_000

interface Entry {
  readonly until: number
  readonly found: { readonly caller: Caller } | { readonly refusal: DomainError }
}

function answerOf({ found }: Entry): Caller {
  if ('refusal' in found) throw found.refusal
  return found.caller
}

function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'unauthenticated'
}

/**
 * A cache of at most 20,000 credentials, known by their SHA-256. Nothing outlives its four seconds, whatever is down,
 * and what a look-up found that began before anything was forgotten is not kept.
 * @param now milliseconds that only grow.
 */
export function createCallerCache(now: () => number): CallerCache {
  const entries = new Map<string, Entry>()
  const digestsOf = new Map<string, Set<string>>()
  let pending = new Map<string, Promise<Caller>>()
  let forgotten = 0
  const hits = metrics.callerCacheLookups.series('hit')
  const shared = metrics.callerCacheLookups.series('shared')
  const misses = metrics.callerCacheLookups.series('miss')
  const forgottenAccounts = metrics.callerCacheInvalidations.series('account')
  const forgottenAll = metrics.callerCacheInvalidations.series('all')

  const drop = (digest: string): void => {
    const entry = entries.get(digest)
    if (entry === undefined) return
    entries.delete(digest)
    if ('refusal' in entry.found) return
    const { accountId } = entry.found.caller
    const digests = digestsOf.get(accountId)
    digests?.delete(digest)
    if (digests?.size === 0) digestsOf.delete(accountId)
  }

  /** A tenth at once: a map that loses its first entry again and again takes ever longer to find the next. */
  const dropOldest = (): void => {
    let left = entriesMax / 10
    for (const digest of entries.keys()) {
      if (left === 0) return
      left -= 1
      drop(digest)
    }
  }

  const keep = (digest: string, entry: Entry): void => {
    drop(digest)
    if (entries.size >= entriesMax) dropOldest()
    entries.set(digest, entry)
    if ('refusal' in entry.found) return
    const { accountId } = entry.found.caller
    const digests = digestsOf.get(accountId) ?? new Set()
    digestsOf.set(accountId, digests.add(digest))
  }

  const lookUp = async (digest: string, look: () => Promise<FoundCaller>): Promise<Caller> => {
    const beganAt = now()
    const began = forgotten
    const remember = (found: Entry['found'], lifeMs: number): void => {
      if (forgotten === began) keep(digest, { until: beganAt + Math.min(callerLifeMs, lifeMs), found })
    }
    try {
      const { caller, timeLeftMs } = await look()
      remember({ caller }, timeLeftMs ?? callerLifeMs)
      return caller
    } catch (error) {
      if (isRefusal(error)) remember({ refusal: error }, callerLifeMs)
      throw error
    }
  }

  return {
    async resolve(credential, look) {
      const digest = hash('sha256', credential, 'base64')
      const entry = entries.get(digest)
      if (entry !== undefined && now() < entry.until) {
        hits.value += 1
        return answerOf(entry)
      }
      const underWay = pending.get(digest)
      if (underWay !== undefined) {
        shared.value += 1
        return underWay
      }
      misses.value += 1
      const among = pending
      const asked = lookUp(digest, look).finally(() => among.delete(digest))
      among.set(digest, asked)
      return asked
    },
    forget(accountId) {
      forgotten += 1
      forgottenAccounts.value += 1
      pending = new Map()
      for (const digest of digestsOf.get(accountId) ?? []) drop(digest)
    },
    forgetAll() {
      forgotten += 1
      forgottenAll.value += 1
      pending = new Map()
      entries.clear()
      digestsOf.clear()
    },
  }
}
