import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { IdempotentRequest, SealedResponse } from '../domain/idempotency.js'

const find = statement('idempotency-find')(`
  SELECT idempotency_key.fingerprint, idempotency_key.sealed FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.digest = decode($2, 'hex')
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`)

const store = statement('idempotency-store')(`
  INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed) VALUES ($1, decode($2, 'hex'), $3, $4)
  ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, sealed = excluded.sealed, created_at = excluded.created_at`)

/** The response to an earlier request with this idempotency key. */
export async function findResponse(
  tx: Session,
  account: string,
  key: IdempotentRequest,
): Promise<SealedResponse | null> {
  return (
    (await firstRow<SealedResponse & { sealed: Buffer }>(
      tx,
      find(account, key.digest, idempotencyKeyLifeMs),
    )) ?? null
  )
}

/** Keeps the response to a request with this idempotency key. */
export async function storeResponse(
  tx: Session,
  account: string,
  key: IdempotentRequest,
  { fingerprint, sealed }: SealedResponse,
): Promise<void> {
  await tx.query(store(account, key.digest, fingerprint, sealed))
}
