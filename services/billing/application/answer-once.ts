import { checkIdempotencyKey, idempotencyKeyReused } from '#shared/core/idempotency-key.js'
import type { AccountId } from '../domain/ids.js'
import type { BillingPorts, KeptAnswer } from '../ports.js'

/** A request that its caller may send again. */
export interface RepeatableRequest {
  readonly accountId: AccountId
  /** As the caller gave it; `null` for none. */
  readonly key: string | null
  /** Tells one request from another under the same key. */
  readonly fingerprint: string
}

/**
 * The answer that `work` gives, or the first one again for the same idempotency key. An answer must survive JSON.
 * @throws DomainError `idempotency_key_reused`, `validation_failed` for a key that is none, and what `work` throws.
 */
export async function answerOnce<Answer>(
  { answers }: Pick<BillingPorts, 'answers'>,
  { accountId, key, fingerprint }: RepeatableRequest,
  work: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> {
  if (key === null) return { answer: await work(), replayed: false }
  checkIdempotencyKey(key)
  const again = (kept: KeptAnswer) => {
    if (kept.fingerprint !== fingerprint) throw idempotencyKeyReused()
    return { answer: JSON.parse(kept.text) as Answer, replayed: true }
  }
  const known = await answers.find(accountId, key)
  if (known !== null) return again(known)
  const answer = await work()
  const mine = { fingerprint, text: JSON.stringify(answer) }
  const kept = await answers.keep(accountId, key, mine)
  return kept.text === mine.text && kept.fingerprint === fingerprint
    ? { answer, replayed: false }
    : again(kept)
}
