import type { RatePolicy } from './policies.js'

/** The decision on a request. */
export interface Admission {
  readonly admitted: boolean
  /** How many more would be admitted now. */
  readonly remaining: number
  /**
   * Milliseconds until the oldest counted request leaves the window, when one more is possible; for a refusal until as
   * many have left it as were requested.
   */
  readonly resetMs: number
  /** Makes an admitted request count as nothing after all; never throws. */
  refund(): void
}

/** A request that counted for a limit. */
export interface CountedRequest {
  readonly policy: RatePolicy
  readonly subject: string
  readonly admission: Pick<Admission, 'remaining' | 'resetMs' | 'refund'>
}

/** Counts admitted requests, each for exactly the length of its policy's window; rejected ones do not count. */
export interface SlidingWindow {
  /**
   * Admits a request of this subject unless the window would then contain more than the policy allows.
   * @param count how many requests it counts as, at most the policy's number; 1 by default.
   */
  take(subject: string, policy: RatePolicy, count?: number): Promise<Admission>
}
