import type { RatePolicy } from './policies.js'

/** What became of a request that asked for a place in a window. */
export interface Admission {
  readonly admitted: boolean
  /** How many more would be admitted now. */
  readonly remaining: number
  /** Milliseconds until the oldest counted request leaves the window, when one more is possible. */
  readonly resetMs: number
  /** For how long a refusal that was itself remembered may be repeated at most; without it, until the reset. */
  readonly holdsMs?: number
  /** Makes an admitted request count for nothing after all; never throws. */
  giveBack(): void
}

/** Counts admitted requests, each for exactly the length of its policy's window; refused ones count for nothing. */
export interface SlidingWindow {
  /** Admits a request of this subject unless the policy's number of them were admitted within the window before. */
  take(subject: string, policy: RatePolicy): Promise<Admission>
}
