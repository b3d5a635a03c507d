import { DomainError } from '#libs/core/domain-error.js'
import type { OwnerId } from './ids.js'

/** What a key is kept for; the same key may be used once for each. */
export type IdempotentOperation = 'create-snippet' | 'create-share'

/** A key as its owner gave it. */
export interface IdempotencyKey {
  readonly ownerId: OwnerId
  readonly operation: IdempotentOperation
  readonly key: string
}

/** The right to carry a request out: whoever holds it is the only one, until the lease runs out. */
export interface Lease {
  readonly key: IdempotencyKey
  readonly holder: string
}

/** A lease with what is kept once the request has been carried out. */
export interface Completion {
  readonly lease: Lease
  /** Tells one request from another under the same key. */
  readonly fingerprint: string
}

/** How long a lease lasts unless it is renewed, in milliseconds: what a killed process can make others wait. */
export const leaseMs = 15_000

/** 409: the first request with this key has not ended. */
export function idempotencyInProgress(): DomainError {
  const message = 'A request with this Idempotency-Key is still in progress. Try again shortly.'
  return new DomainError('conflict', 'idempotency_in_progress', message, { retry_after: 1 })
}
