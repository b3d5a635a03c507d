/** A retryable request. */
export interface IdempotentRequest {
  /** A hash of the idempotency key. */
  readonly digest: string
}

/** The stored response of an idempotency key. */
export interface SealedResponse {
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
  /** The response, encrypted. */
  readonly sealed: Uint8Array
}
