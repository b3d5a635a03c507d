import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import type { RatePolicy } from './policies.js'
import { countDecision, RateLimited } from './rate-limits.js'

/** Limits the cost of guessed credentials behind the gateway: key lookups and signature checks. */
export interface GuessLimit {
  /**
   * The result of `check` for an uncached credential.
   * @throws RateLimited without a check, if too many credentials of this client were rejected recently and this one
   *   was never valid; whatever `check` throws.
   */
  check<Found>(client: string, credential: string, check: () => Promise<Found>): Promise<Found>
}

/** Rejected credentials of one client per minute after which others are no longer checked. */
const refusalsMax = 50
/** The interval at which a repeated credential is checked after that, in seconds. */
const retrySeconds = 1
/** A result that concerns only this caller, unlike an outage. */
function isAboutCaller(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'timeout'
}

const provenMax = 20_000
const deferredMax = 10_000

function guessPolicy({ requests, seconds }: RatePolicy): RatePolicy {
  const perMinute = Math.ceil((requests * 60) / seconds)
  return { name: 'guesses', requests: Math.max(refusalsMax, perMinute), seconds: 60 }
}

/** Callers waiting for one of a client's checks to end. */
interface Waiting {
  readonly goOn: () => void
  readonly fail: (error: unknown) => void
}

/** A queue for the checks of one client. */
function createChecks() {
  const checksOf = new Map<string, { underWay: number; readonly waiting: Waiting[] }>()
  return {
    areUnderWay: (client: string): boolean => checksOf.has(client),
    begin(client: string): void {
      const checks = checksOf.get(client) ?? { underWay: 0, waiting: [] }
      checksOf.set(client, checks)
      checks.underWay += 1
    },
    /** Ends a check; `failure` is why it could not be made, which the waiting ones would only find out again. */
    end(client: string, failure: unknown): void {
      const checks = checksOf.get(client)
      if (checks === undefined) return
      checks.underWay -= 1
      // The last one releases all, since no one else will.
      if (checks.underWay === 0) checksOf.delete(client)
      if (failure !== null) for (const { fail } of checks.waiting.splice(0)) fail(failure)
      for (const { goOn } of checks.waiting.splice(0, checks.underWay === 0 ? Infinity : 1)) goOn()
    },
    /** Resolves when a check has ended; rejects if it could not be made. */
    oneEnds: (client: string): Promise<void> =>
      new Promise((goOn, fail) => checksOf.get(client)?.waiting.push({ goOn, fail })),
  }
}

/**
 * A limit of 50 rejected credentials per minute and client, or the number of `strict`. Beyond it a credential that
 * was valid before is checked as usual, and any other is rejected unchecked. A client that repeats the same
 * credential, which a guesser has no reason to do, gets one check per second. Each gateway counts on its own.
 * @param strict the policy that such rejections name; `null` for no limit.
 * @param now a monotonic clock in milliseconds.
 */
export function createGuessLimit(strict: RatePolicy | null, now: () => number): GuessLimit {
  if (strict === null) return { check: (_client, _credential, check) => check() }
  const policy = guessPolicy(strict)
  const retries: RatePolicy = { name: 'retries', requests: 1, seconds: retrySeconds }
  const window = createMemorySlidingWindow(now)
  const checks = createChecks()
  const proven = new LRUCache<string, true>({ max: provenMax })
  const deferred = new LRUCache<string, true>({ max: deferredMax })

  const refuse = (digest: string): never => {
    deferred.set(digest, true)
    countDecision(strict, false)
    throw new RateLimited(strict, retrySeconds * 1_000)
  }

  /**
   * Takes a slot for a check as soon as one is free; resolves to its release function, or `null` if none is needed.
   */
  const begin = async (client: string, digest: string): Promise<(() => void) | null> => {
    while (!proven.has(digest)) {
      const { admitted, refund } = window.takeNow(client, policy)
      if (admitted) {
        checks.begin(client)
        return refund
      }
      if (!checks.areUnderWay(client)) {
        if (!deferred.has(digest) || !window.takeNow(client, retries).admitted) return refuse(digest)
        return null
      }
      // Most of these may turn out valid and free their slots.
      await checks.oneEnds(client)
    }
    return null
  }

  return {
    async check(client, credential, check) {
      const digest = hash('sha256', credential, 'base64')
      const refund = await begin(client, digest)
      let failure: unknown = null
      try {
        const found = await check()
        proven.set(digest, true)
        refund?.()
        return found
      } catch (error) {
        if (isCredentialRefusal(error)) proven.delete(digest)
        else {
          refund?.()
          if (!isAboutCaller(error)) failure = error
        }
        throw error
      } finally {
        if (refund !== null) checks.end(client, failure)
      }
    },
  }
}
