import { idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import {
  type Completion,
  type IdempotencyKey,
  idempotencyInProgress,
  type Lease,
} from '../domain/idempotency.js'
import type { ContentPorts } from '../ports.js'

/** A result, and whether it is a replay. */
export interface IdempotentResult<T> {
  readonly result: T
  readonly replayed: boolean
}

/** A request that must take effect once. */
export interface IdempotentRequest<T> {
  /** `null` if the caller gave none; then the request is not idempotent. */
  readonly key: IdempotencyKey | null
  /** The holder of the lease: the document's id if its upload already took it. */
  readonly holder: string
  readonly fingerprint: string
  /** Whether the stored fingerprint is of this request, if that takes more than comparing texts. */
  readonly matches?: (known: string) => Promise<boolean>
  /** Applies the effect and completes the key in the same step. */
  readonly effect: (completion: Completion | null) => Promise<T>
  /** Reads a stored response. */
  readonly restore: (response: string) => T | Promise<T>
}

/**
 * Runs a request, or replays the response of the first one with this key.
 * @throws DomainError `idempotency_in_progress`, `idempotency_key_reused`, and what the effect throws; then
 * the key is free again.
 */
export async function runIdempotent<T>(
  { idempotency }: Pick<ContentPorts, 'idempotency'>,
  { key, holder, fingerprint, matches, effect, restore }: IdempotentRequest<T>,
): Promise<IdempotentResult<T>> {
  if (key === null) return { result: await effect(null), replayed: false }
  const lease: Lease = { key, holder }
  const known = await idempotency.begin(lease)
  switch (known.state) {
    case 'running':
      throw idempotencyInProgress()
    case 'done':
      if (!(await (matches?.(known.fingerprint) ?? known.fingerprint === fingerprint)))
        throw idempotencyKeyReused()
      return { result: await restore(known.response), replayed: true }
    case 'held':
      try {
        return { result: await effect({ lease, fingerprint }), replayed: false }
      } catch (error) {
        // A lease that cannot be released now expires by itself; the effect's own error is more useful.
        await idempotency.release(lease).catch(() => {})
        throw error
      }
    default:
      return known satisfies never
  }
}
