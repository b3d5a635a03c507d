import type { Session } from '#libs/postgres/session.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { IdempotentRequest, SealedResponse } from '../domain/idempotency.js'

const findSql = `
  SELECT idempotency_key.fingerprint, idempotency_key.sealed FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.digest = decode($2, 'hex')
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`

const storeSql = `
  INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed) VALUES ($1, decode($2, 'hex'), $3, $4)
  ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, sealed = excluded.sealed, created_at = excluded.created_at`

/** The response to an earlier request with this idempotency key. */
export async function findResponse(
  tx: Session,
  account: string,
  key: IdempotentRequest,
): Promise<SealedResponse | null> {
  const values = [account, key.digest, idempotencyKeyLifeMs]
  const { rows } = await tx.query<{ fingerprint: string; sealed: Buffer }>({
    name: 'idempotency-find',
    text: findSql,
    values,
  })
  return rows[0] ?? null
}

/** Keeps the response to a request with this idempotency key. */
export async function storeResponse(
  tx: Session,
  account: string,
  key: IdempotentRequest,
  { fingerprint, sealed }: SealedResponse,
): Promise<void> {
  const values = [account, key.digest, fingerprint, sealed]
  await tx.query({ name: 'idempotency-store', text: storeSql, values })
}
