/** A request that its caller may repeat. */
export interface IdempotentRequest {
  /** As its owner gave it. */
  readonly key: string
  /** Tells the request from others with the same key. */
  readonly fingerprint: string
}
