/** A request that its caller may send again. */
export interface KeyRequest {
  /** A hash of the idempotency key. */
  readonly digest: string
}

/** What is kept of the answer to a request. */
export interface KeptAnswer {
  /** Tells one request from another under the same key. */
  readonly fingerprint: string
  /** The answer, encrypted. */
  readonly sealed: Uint8Array
}
