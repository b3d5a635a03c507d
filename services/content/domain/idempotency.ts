import { DomainError } from '#libs/core/domain-error.js'
import type { OwnerId } from './ids.js'

/** The operations with idempotency keys; an owner may use the same key once for each. */
export type IdempotentOperation = 'create-snippet' | 'create-share' | 'restore-revision' | 'create-check'

/** A key as its owner sent it. */
export interface IdempotencyKey {
  readonly ownerId: OwnerId
  readonly operation: IdempotentOperation
  readonly key: string
}

/** The exclusive right to run a request, until the lease expires. */
export interface Lease {
  readonly key: IdempotencyKey
  readonly holder: string
}

/** A lease with what to store once the request has succeeded. */
export interface Completion {
  readonly lease: Lease
  /** Distinguishes requests with the same key. */
  readonly fingerprint: string
}

/**
 * How long a lease lasts without renewal, in milliseconds, and so how long a killed process blocks others.
 */
export const leaseMs = 15_000

/** 409: the first request with this key is still in progress. */
export function idempotencyInProgress(): DomainError {
  const message = 'A request with this Idempotency-Key is still in progress. Try again shortly.'
  return new DomainError('conflict', 'idempotency_in_progress', message, { retry_after: 1 })
}

/** The current state of an idempotency key. */
export type KeyState =
  | { readonly state: 'held' }
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly fingerprint: string; readonly response: string }
