import { type Pool, type PoolClient, query } from '#libs/postgres/pool.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { entryToText, type HistoryEntry } from '../domain/history-entry.js'
import type { RepeatableRequest } from '../domain/idempotency.js'
import type { OwnerId } from '../domain/ids.js'
import type { Recorded } from '../ports.js'

/** Rows that one statement forgets at most, so that none of them takes long. */
const batch = 10_000

const find = `
  SELECT idempotency_key.fingerprint, idempotency_key.answer FROM idempotency_key
  WHERE idempotency_key.owner_id = $1 AND idempotency_key.key = $2
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`

const keep = `
  INSERT INTO idempotency_key (owner_id, key, fingerprint, answer) VALUES ($1, $2, $3, $4)
  ON CONFLICT (owner_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at`

/** The age is asked for twice: where a row that was taken anew meanwhile is found by its place, it may be the new one. */
const forget = `
  DELETE FROM idempotency_key
  WHERE idempotency_key.created_at <= now() - $1 * interval '1 millisecond' AND idempotency_key.ctid IN (
    SELECT old.ctid FROM idempotency_key AS old
    WHERE old.created_at <= now() - $1 * interval '1 millisecond' LIMIT $2)`

/** The answer that is kept for this key of an owner whose row is locked; `null` for none, or one past its life. */
export async function findAnswer(
  tx: PoolClient,
  owner: OwnerId,
  { key }: RepeatableRequest,
): Promise<Recorded | null> {
  const statement = { name: 'history-answer', text: find, values: [owner, key, idempotencyKeyLifeMs] }
  const { rows } = await tx.query<{ fingerprint: string; answer: string }>(statement)
  return rows[0] === undefined ? null : { state: 'answered', ...rows[0] }
}

/** Keeps the answer to a request of an owner whose row is locked, in place of one past its life. */
export async function keepAnswer(
  tx: PoolClient,
  { key, fingerprint }: RepeatableRequest,
  entry: HistoryEntry,
): Promise<void> {
  const values = [entry.ownerId, key, fingerprint, entryToText(entry)]
  await tx.query({ name: 'history-keep-answer', text: keep, values })
}

/** Forgets answers past their life, batch by batch; see `HistoryStore.forgetAnswers`. */
export async function forgetAnswers(pool: Pool, signal: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const statement = { name: 'history-forget', text: forget, values: [idempotencyKeyLifeMs, batch] }
    const forgotten = (await query(pool, statement)).rowCount ?? 0
    total += forgotten
    if (forgotten < batch || signal.aborted) return total
  }
}
