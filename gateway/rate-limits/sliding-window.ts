import { LRUCache } from 'lru-cache'
import type { Admission, RatePolicy } from '../request/counted-request.js'
import { addressesMax, wideNetworkOf } from './client-address.js'

/** Counts admitted requests, each for exactly the length of its policy's window. Rejected ones do not count. */
export interface SlidingWindow {
  /**
   * Admits a request unless the subject's window would then contain more than the policy allows.
   * @param count how many requests it counts as, at most the policy's number; 1 by default.
   */
  take(subject: string, policy: RatePolicy, count?: number): Promise<Admission>
}

/** An IPv6 /48 may send this many times as much as a single /64 in it. */
const wideFactor = 10

/** Counts a request of a subject, and if that is an IPv6 /64, also one of the /48 around it. */
export function createTakeInNetwork(
  window: Pick<SlidingWindow, 'take'>,
): (subject: string, policy: RatePolicy) => Promise<Admission> {
  const wideNetworks = new LRUCache<string, string>({ max: addressesMax, memoMethod: wideNetworkOf })
  const takeBoth = async (subject: string, policy: RatePolicy): Promise<Admission> => {
    // The /48 first, so that an exhausted one stores nothing for the 65,536 subjects in it.
    const wide = await window.take(wideNetworks.memo(subject), {
      ...policy,
      requests: policy.requests * wideFactor,
    })
    if (!wide.admitted) return wide
    const admission = await window.take(subject, policy)
    const refund = (): void => {
      admission.refund()
      wide.refund()
    }
    if (!admission.admitted) wide.refund()
    return { ...admission, refund, remaining: Math.min(admission.remaining, wide.remaining) }
  }
  return (subject, policy) =>
    subject.endsWith('/64') ? takeBoth(subject, policy) : window.take(subject, policy)
}
