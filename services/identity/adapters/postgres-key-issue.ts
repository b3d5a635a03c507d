import type { Session } from '#libs/postgres/session.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountNotFound } from '../domain/account.js'
import type { ApiKey } from '../domain/api-key.js'
import type { SealedResponse } from '../domain/idempotency.js'
import type { AddedKey, SealingRequest } from '../ports.js'

const lock = 'SELECT account.plan FROM account WHERE account.id = $1 FOR NO KEY UPDATE'

const findSql = `
  SELECT idempotency_key.fingerprint, idempotency_key.sealed FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.digest = decode($2, 'hex')
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`

const storeSql = `
  INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed) VALUES ($1, decode($2, 'hex'), $3, $4)
  ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, sealed = excluded.sealed, created_at = excluded.created_at`

/**
 * Has nobody else issue anything to this account meanwhile; its plan.
 * @throws DomainError `not_found` when there is no such account.
 */
export async function lockAccount(tx: Session, account: string): Promise<PlanName> {
  const { rows } = await tx.query<{ plan: PlanName }>({
    name: 'api-key-lock-account',
    text: lock,
    values: [account],
  })
  if (rows[0] === undefined) throw accountNotFound()
  return rows[0].plan
}

/** Issues what was asked for, and keeps the response; a request that came before gets that one. */
export async function issueOnce(
  tx: Session,
  account: string,
  request: SealingRequest | null,
  issue: () => Promise<ApiKey>,
): Promise<AddedKey> {
  if (request !== null) {
    const values = [account, request.key.digest, idempotencyKeyLifeMs]
    const find = { name: 'idempotency-find', text: findSql, values }
    const { rows } = await tx.query<SealedResponse>(find)
    if (rows[0] !== undefined) return { state: 'replayed', response: rows[0] }
  }
  const apiKey = await issue()
  if (request !== null) {
    const { fingerprint, sealed } = request.seal(apiKey)
    const values = [account, request.key.digest, fingerprint, sealed]
    await tx.query({ name: 'idempotency-store', text: storeSql, values })
  }
  return { state: 'added', apiKey }
}
