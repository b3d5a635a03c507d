import type { RatePolicy } from './policies.js'

/** The decision about a request. */
export interface Admission {
  readonly admitted: boolean
  /** How many more requests would be admitted now. */
  readonly remaining: number
  /**
   * Milliseconds until the oldest counted request leaves the window. For a rejection: until there is room for as many
   * as were requested.
   */
  readonly resetMs: number
  /** Uncounts an admitted request; never throws. */
  refund(): void
}

/** A request, the limit it counted towards, and the decision. */
export interface CountedRequest {
  readonly policy: RatePolicy
  readonly subject: string
  readonly admission: Pick<Admission, 'remaining' | 'resetMs' | 'refund'>
}

/** Counts admitted requests, each for exactly the length of its policy's window. Rejected ones do not count. */
export interface SlidingWindow {
  /**
   * Admits a request unless the subject's window would then contain more than the policy allows.
   * @param count how many requests it counts as, at most the policy's number; 1 by default.
   */
  take(subject: string, policy: RatePolicy, count?: number): Promise<Admission>
}
