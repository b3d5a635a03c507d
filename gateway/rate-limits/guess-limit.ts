import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import type { RatePolicy } from '../request/counted-request.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import { countDecision, RateLimited } from './rate-limits.js'

/** Limits the work that guessed credentials cause: key lookups and signature checks. */
export interface GuessLimit {
  /**
   * Runs `check` for a credential that is not cached.
   * @throws RateLimited without a check if too many credentials of this client were rejected recently and this one was
   *   never valid; whatever `check` throws.
   */
  check<Found>(client: string, credential: string, check: () => Promise<Found>): Promise<Found>
}

/** Per client and minute. After that many rejected credentials, no others are checked. */
const refusalsMax = 50
/** Then, a repeated credential is checked once in this many seconds. */
const retrySeconds = 1

/** Unlike an outage, which concerns all callers. */
function isAboutCaller(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'timeout'
}

const provenMax = 20_000
const deferredMax = 10_000

function guessPolicy({ requests, seconds }: RatePolicy): RatePolicy {
  const perMinute = Math.ceil((requests * 60) / seconds)
  return { name: 'guesses', requests: Math.max(refusalsMax, perMinute), seconds: 60 }
}

/** A request that waits until one of its client's checks has ended. */
interface Waiting {
  readonly resume: () => void
  readonly fail: (error: unknown) => void
}

/** The running checks of each client, and the requests that wait for one to end. */
function createChecks() {
  const checksOf = new Map<string, { running: number; readonly waiting: Waiting[] }>()
  return {
    areRunning: (client: string): boolean => checksOf.has(client),
    begin(client: string): void {
      const checks = checksOf.get(client) ?? { running: 0, waiting: [] }
      checksOf.set(client, checks)
      checks.running += 1
    },
    /** Ends a check. A `failure` such as an outage also fails the waiting requests, which would only repeat it. */
    end(client: string, failure: unknown): void {
      const checks = checksOf.get(client)
      if (checks === undefined) return
      checks.running -= 1
      // The last check resumes all, since no other will end.
      if (checks.running === 0) checksOf.delete(client)
      if (failure !== null) for (const { fail } of checks.waiting.splice(0)) fail(failure)
      for (const { resume } of checks.waiting.splice(0, checks.running === 0 ? Infinity : 1)) resume()
    },
    /** Resolves when a check has ended; rejects if it could not be made. */
    nextEnd: (client: string): Promise<void> =>
      new Promise((resume, fail) => checksOf.get(client)?.waiting.push({ resume, fail })),
  }
}

/**
 * Limits rejected credentials to 50 per minute and client, or to the rate of `strict` if that is higher. Beyond it, a
 * credential that was valid before is checked as usual, and any other is rejected unchecked. A client that repeats the
 * same credential, as no guesser would, gets one check per second. Each gateway counts separately.
 * @param strict the policy named in the 429; `null` for no limit.
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
   * Waits for a free slot, and resolves to its refund function, or to `null` if the check needs no slot.
   */
  const begin = async (client: string, digest: string): Promise<(() => void) | null> => {
    while (!proven.has(digest)) {
      const { admitted, refund } = window.takeNow(client, policy)
      if (admitted) {
        checks.begin(client)
        return refund
      }
      if (!checks.areRunning(client)) {
        if (!deferred.has(digest) || !window.takeNow(client, retries).admitted) return refuse(digest)
        return null
      }
      // The running checks may find valid credentials, which free their slots.
      await checks.nextEnd(client)
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
