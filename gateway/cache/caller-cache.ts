import { hash } from 'node:crypto'
import { type DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Caller } from '../exchange.js'
import { createShortMemory, type Finding } from './short-memory.js'

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

type Known = { readonly caller: Caller } | { readonly refusal: DomainError }

function answerOf(known: Known): Caller {
  if ('refusal' in known) throw known.refusal
  return known.caller
}

async function lookFor(look: () => Promise<FoundCaller>): Promise<Finding<Known>> {
  try {
    const { caller, timeLeftMs } = await look()
    return { value: { caller }, lifeMs: Math.min(callerLifeMs, timeLeftMs ?? callerLifeMs) }
  } catch (error) {
    if (isCredentialRefusal(error)) return { value: { refusal: error }, lifeMs: callerLifeMs }
    throw error
  }
}

/** Which credentials are remembered of an account. */
function createIndex() {
  const digestsOf = new Map<string, Set<string>>()
  return {
    add(digest: string, known: Known): void {
      if ('refusal' in known) return
      const { accountId } = known.caller
      const digests = digestsOf.get(accountId) ?? new Set()
      digestsOf.set(accountId, digests.add(digest))
    },
    remove(digest: string, known: Known): void {
      if ('refusal' in known) return
      const digests = digestsOf.get(known.caller.accountId)
      digests?.delete(digest)
      if (digests?.size === 0) digestsOf.delete(known.caller.accountId)
    },
    of: (accountId: string): Iterable<string> => digestsOf.get(accountId) ?? [],
  }
}

/**
 * A cache of at most 20,000 credentials, known by their SHA-256. Nothing outlives its four seconds, whatever is down,
 * and what a look-up found that began before anything was forgotten is not kept.
 * @param now milliseconds that only grow.
 */
export function createCallerCache(now: () => number): CallerCache {
  const index = createIndex()
  const memory = createShortMemory<Known>({
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
  const forgottenAccounts = metrics.callerCacheInvalidations.series('account')
  const forgottenAll = metrics.callerCacheInvalidations.series('all')
  return {
    async resolve(credential, look) {
      return answerOf(await memory.resolve(hash('sha256', credential, 'base64'), () => lookFor(look)))
    },
    forget(accountId) {
      forgottenAccounts.value += 1
      memory.forget(index.of(accountId))
    },
    forgetAll() {
      forgottenAll.value += 1
      memory.forgetAll()
    },
  }
}
