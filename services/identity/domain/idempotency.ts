import { DomainError } from '#libs/core/domain-error.js'

/** How long the answer to a request with an idempotency key is kept, in milliseconds. */
export const answerLifeMs = 86_400_000

/** A request that its caller may send again. */
export interface KeyRequest {
  /** A hash of the idempotency key. */
  readonly digest: string
  /** Tells one request from another under the same key. */
  readonly fingerprint: string
}

/** What is kept of the answer to a request. */
export interface KeptAnswer {
  readonly fingerprint: string
  /** The answer, encrypted. */
  readonly sealed: Uint8Array
}

/** 409: the key belongs to a request with another body. */
export function idempotencyKeyReused(): DomainError {
  const message =
    'This Idempotency-Key was used for a request with another body. Use a new key for a new request.'
  return new DomainError('conflict', 'idempotency_key_reused', message)
}
