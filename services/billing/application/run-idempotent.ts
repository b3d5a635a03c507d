import type { StoredResponse } from '#libs/core/stored-response.js'
import { checkIdempotencyKey, idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/ids.js'
import type { BillingPorts } from '../ports.js'

/** A retryable request. */
export interface IdempotentRequest {
  readonly accountId: AccountId
  /** As the caller sent it; `null` for none. */
  readonly key: string | null
  /** Distinguishes the request from others with the same key. */
  readonly fingerprint: string
}

/**
 * The result of `work`, or that of the first request with the same idempotency key. Results must survive JSON.
 * @throws DomainError `idempotency_key_reused`, `validation_failed` for a malformed key, and what `work` throws.
 */
export async function runIdempotent<Result>(
  { idempotency }: Pick<BillingPorts, 'idempotency'>,
  { accountId, key, fingerprint }: IdempotentRequest,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly replayed: boolean }> {
  if (key === null) return { result: await work(), replayed: false }
  checkIdempotencyKey(key)
  const replay = (stored: StoredResponse) => {
    if (stored.fingerprint !== fingerprint) throw idempotencyKeyReused()
    return { result: JSON.parse(stored.response) as Result, replayed: true }
  }
  const known = await idempotency.find(accountId, key)
  if (known !== null) return replay(known)
  const result = await work()
  const mine = { fingerprint, response: JSON.stringify(result) }
  const stored = await idempotency.store(accountId, key, mine)
  return stored.response === mine.response && stored.fingerprint === fingerprint
    ? { result, replayed: false }
    : replay(stored)
}
