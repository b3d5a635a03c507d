import { isUnavailability } from '#libs/core/domain-error.js'
import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { createKeyedQueue, type KeyedQueue } from '#libs/runtime/keyed-queue.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountNotFound } from '../domain/account.js'
import type { Issued, SealingRequest } from '../ports.js'

const find = statement('idempotency-find')(`
  SELECT idempotency_key.fingerprint, idempotency_key.sealed FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.digest = decode($2, 'hex')
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`)

const store = statement('idempotency-store')(`
  INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed) VALUES ($1, decode($2, 'hex'), $3, $4)
  ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, sealed = excluded.sealed, created_at = excluded.created_at`)

/**
 * A queue for each row that work locks, such as an account's: it waits here, without holding sessions that others could
 * use.
 */
export function rowQueue(): KeyedQueue {
  return createKeyedQueue(isUnavailability)
}

const lock = statement('api-key-lock-account')(`
  SELECT account.plan FROM account WHERE account.id = $1 FOR NO KEY UPDATE`)

/**
 * Locks the account against other issues; returns its plan.
 * @throws DomainError `not_found` if there is no such account.
 */
export async function lockAccount(tx: Session, account: string): Promise<PlanName> {
  const row = await firstRow<{ plan: PlanName }>(tx, lock(account))
  if (row === undefined) throw accountNotFound()
  return row.plan
}

/** Issues what was requested, and keeps the response; a repeated request gets the first response. */
export async function issueOnce<Added>(
  tx: Session,
  account: string,
  request: SealingRequest<Added> | null,
  issue: () => Promise<Added>,
): Promise<Issued<Added>> {
  if (request === null) return { state: 'added', added: await issue() }
  type Row = { fingerprint: string; sealed: Buffer }
  const response = await firstRow<Row>(tx, find(account, request.digest, idempotencyKeyLifeMs))
  if (response !== undefined) return { state: 'replayed', response }
  const added = await issue()
  const { fingerprint, sealed } = request.seal(added)
  await tx.query(store(account, request.digest, fingerprint, sealed))
  return { state: 'added', added }
}
