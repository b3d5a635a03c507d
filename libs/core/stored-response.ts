/** The response that an idempotency key stands for, as text. */
export interface StoredResponse {
  /** Tells the request from others with the same key. */
  readonly fingerprint: string
  readonly response: string
}
