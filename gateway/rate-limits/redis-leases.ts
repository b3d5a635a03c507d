import { LRUCache } from 'lru-cache'
import type { Admission, RatePolicy } from '../request/counted-request.js'
import type { RedisAdmission, RedisSlidingWindow } from './redis-sliding-window.js'
import type { SlidingWindow } from './sliding-window.js'

/** A window in Redis from which this process may take several requests at once, before they come. */
export interface LeasedWindow extends SlidingWindow {
  /** Admits a request that Redis has granted in advance; `null` if there is none. */
  takeHeld(subject: string, policy: RatePolicy): Admission | null
  /** Gives back what is held. */
  close(): void
}

/** A lease is at most this part of what the subject has left, and at most so many requests. */
const partOfRest = 16
const leaseMax = 32
/** A subject with more requests in the time of a lease is busy. Beyond so many subjects, the least recent lose theirs. */
const subjectsMax = 10_000

interface Lease {
  readonly granted: RedisAdmission
  /** By the clock of this process in milliseconds; Redis counts its requests as if all came then. */
  readonly until: number
  left: number
}

/** How long a granted request may wait for its caller: a second, or less in a short window. */
function leaseMsOf({ seconds }: RatePolicy): number {
  return Math.min(1_000, (seconds * 1_000) / 60)
}

/**
 * Lets a busy subject's requests ask Redis less often. What is leased is counted at once, until the end of the lease and
 * from then for the whole window, so that no window has more than the policy allows. Another gateway may refuse a
 * little early, by what is leased here; near the limit a lease is one request, and a small policy has no others. What
 * was not used goes back when the lease ends.
 * @param now a monotonic clock in milliseconds.
 */
export function createLeases(shared: RedisSlidingWindow, now: () => number): LeasedWindow {
  const giveBack = (lease: Lease): void => {
    if (lease.left > 0) lease.granted.refund(lease.left)
    lease.left = 0
  }
  const leases = new LRUCache<string, Lease>({ max: subjectsMax, dispose: giveBack })
  const asking = new Set<string>()
  const keyOf = (subject: string, { name }: RatePolicy): string => `${name} ${subject}`

  const admissionOf = (lease: Lease, resetMs: number): Admission => ({
    admitted: true,
    remaining: lease.granted.remaining + lease.left,
    resetMs,
    refund() {
      if (now() < lease.until) lease.left += 1
      else lease.granted.refund(1)
    },
  })

  const lease = async (subject: string, policy: RatePolicy, size: number): Promise<Admission> => {
    const key = keyOf(subject, policy)
    const leaseMs = leaseMsOf(policy)
    const until = now() + leaseMs
    asking.add(key)
    const granted = await shared.take(subject, policy, size, leaseMs).finally(() => asking.delete(key))
    if (!granted.admitted) return shared.take(subject, policy)
    const given = { granted, until, left: size - 1 }
    leases.set(key, given)
    setTimeout(giveBack, leaseMs, given).unref()
    return admissionOf(given, granted.resetMs)
  }

  return {
    takeHeld(subject, policy) {
      const held = leases.get(keyOf(subject, policy))
      const leftMs = held === undefined ? 0 : held.until - now()
      if (held === undefined || held.left === 0 || leftMs <= 0) return null
      held.left -= 1
      return admissionOf(held, held.granted.resetMs - leaseMsOf(policy) + leftMs)
    },
    async take(subject, policy, count = 1) {
      if (count > 1 || policy.requests < 2 * partOfRest) return shared.take(subject, policy, count)
      const key = keyOf(subject, policy)
      const last = leases.get(key)
      const rest = last !== undefined && now() < last.until ? last.granted.remaining : 0
      const size = Math.min(leaseMax, Math.floor(rest / partOfRest))
      if (size > 1 && !asking.has(key)) return lease(subject, policy, size)
      const granted = await shared.take(subject, policy)
      if (granted.admitted && (leases.get(key)?.left ?? 0) === 0)
        leases.set(key, { granted, until: now() + leaseMsOf(policy), left: 0 })
      return granted
    },
    close: () => leases.clear(),
  }
}
