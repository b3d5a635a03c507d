/** A request that its caller may repeat. */
export interface IdempotentRequest {
  /** A hash of the idempotency key. */
  readonly digest: string
}

/** The response that an idempotency key stands for. */
export interface SealedResponse {
  /** Tells the request from others with the same key. */
  readonly fingerprint: string
  /** The response, encrypted. */
  readonly sealed: Uint8Array
}
