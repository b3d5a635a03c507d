import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { DomainError, isCredentialRefusal } from '#libs/core/domain-error.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import type { RatePolicy } from './policies.js'
import { countDecision, RateLimited } from './rate-limits.js'

/** Bounds what guessed credentials cost behind the gateway: look-ups of keys, checks of signatures. */
export interface GuessLimit {
  /**
   * What `check` finds out about a credential that nothing is remembered of.
   * @throws RateLimited without a check, when too many credentials of this client were refused lately and this one was
   * never found good; whatever `check` throws.
   */
  check<Found>(client: string, credential: string, check: () => Promise<Found>): Promise<Found>
}

/** Refused credentials of one client in a minute after which others are not looked at any more. */
const refusalsMax = 50
/** After that, how often one that came before is looked at all the same, in seconds. */
const retrySeconds = 1
/** What a check finds out about the caller alone; of others it says nothing, as an outage does. */
function isAboutCaller(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'timeout'
}

const provenMax = 20_000
const deferredMax = 10_000

function guessPolicy({ requests, seconds }: RatePolicy): RatePolicy {
  const perMinute = Math.ceil((requests * 60) / seconds)
  return { name: 'guesses', requests: Math.max(refusalsMax, perMinute), seconds: 60 }
}

/** Who waits for one of the checks of a client to end. */
interface Waiting {
  readonly goOn: () => void
  readonly fail: (error: unknown) => void
}

/** Lets checks of one client wait for each other. */
function createChecks() {
  const checksOf = new Map<string, { underWay: number; readonly waiting: Waiting[] }>()
  return {
    areUnderWay: (client: string): boolean => checksOf.has(client),
    begin(client: string): void {
      const checks = checksOf.get(client) ?? { underWay: 0, waiting: [] }
      checksOf.set(client, checks)
      checks.underWay += 1
    },
    /** Ends one; `failure` is why it could not be made, which those who wait would only find out again. */
    end(client: string, failure: unknown): void {
      const checks = checksOf.get(client)
      if (checks === undefined) return
      checks.underWay -= 1
      // The last one lets all go on, for nobody else will.
      if (checks.underWay === 0) checksOf.delete(client)
      if (failure !== null) for (const { fail } of checks.waiting.splice(0)) fail(failure)
      for (const { goOn } of checks.waiting.splice(0, checks.underWay === 0 ? Infinity : 1)) goOn()
    },
    /** Resolves when one has ended; rejects when it could not be made. */
    oneEnds: (client: string): Promise<void> =>
      new Promise((goOn, fail) => checksOf.get(client)?.waiting.push({ goOn, fail })),
  }
}

/**
 * A limit of 50 refused credentials a minute and client, or as many as `strict` lets through. Beyond it a credential that
 * was found good before is checked as ever, and any other refused unasked. Who comes again with the same one, as a guesser
 * has no reason to, may be checked: one a second of each client. Each gateway counts by itself.
 * @param strict what such refusals are told as; `null` limits nothing.
 * @param now milliseconds that only grow.
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

  /** Takes a place for a check as soon as there is one; resolves to how it is given back, `null` where none is needed. */
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
      // Most of these may be found good, and make room.
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
