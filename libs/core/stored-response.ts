/** The stored response of an idempotency key, as text. */
export interface StoredResponse {
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
  readonly response: string
}
