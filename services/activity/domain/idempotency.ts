/** A request that its caller may send again. */
export interface RepeatableRequest {
  /** As its owner gave it. */
  readonly key: string
  /** Tells one request from another under the same key. */
  readonly fingerprint: string
}
