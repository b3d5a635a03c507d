/** A retryable request. */
export interface IdempotentRequest {
  /** As its owner sent it. */
  readonly key: string
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
}
