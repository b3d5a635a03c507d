/** The limit of a subject in a sliding window. */
export interface RatePolicy {
  readonly name: string
  readonly requests: number
  readonly seconds: number
}

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
