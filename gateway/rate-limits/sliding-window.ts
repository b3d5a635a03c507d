import type { Admission, RatePolicy } from '../request/counted-request.js'

/** Counts admitted requests, each for exactly the length of its policy's window. Rejected ones do not count. */
export interface SlidingWindow {
  /**
   * Admits a request unless the subject's window would then contain more than the policy allows.
   * @param count how many requests it counts as, at most the policy's number; 1 by default.
   */
  take(subject: string, policy: RatePolicy, count?: number): Promise<Admission>
}
