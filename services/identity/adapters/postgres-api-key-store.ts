import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountNotFound } from '../domain/account.js'
import type { ApiKey, ApiKeyDraft } from '../domain/api-key.js'
import type { IdempotentRequest, SealedResponse } from '../domain/idempotency.js'
import type { ApiKeyStore } from '../ports.js'
import { type ApiKeyRow, apiKeyColumns, restoreApiKey } from './postgres-api-key-row.js'
import { resolveHolder } from './postgres-key-holder.js'
import { addUsage, usage } from './postgres-key-usage.js'

const lockAccount = 'SELECT account.plan FROM account WHERE account.id = $1 FOR NO KEY UPDATE'
const countKeys = 'SELECT count(*)::int AS held FROM api_key WHERE api_key.account_id = $1'

const insert = `
  INSERT INTO api_key (id, account_id, name, digest, pepper_version, prefix, last4, scopes, created_at, expires_at)
  VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, date_trunc('milliseconds', now()),
    date_trunc('milliseconds', now()) + $9::bigint * interval '1 second')
  RETURNING ${apiKeyColumns}`

const findSql = `
  SELECT idempotency_key.fingerprint, idempotency_key.sealed FROM idempotency_key
  WHERE idempotency_key.account_id = $1 AND idempotency_key.digest = decode($2, 'hex')
    AND idempotency_key.created_at > now() - $3 * interval '1 millisecond'`

const storeSql = `
  INSERT INTO idempotency_key (account_id, digest, fingerprint, sealed) VALUES ($1, decode($2, 'hex'), $3, $4)
  ON CONFLICT (account_id, digest) DO UPDATE
    SET fingerprint = excluded.fingerprint, sealed = excluded.sealed, created_at = excluded.created_at`

const list = `
  SELECT ${apiKeyColumns} FROM api_key WHERE api_key.account_id = $1
  ORDER BY api_key.created_at DESC, api_key.id DESC`

const find = `SELECT ${apiKeyColumns} FROM api_key WHERE api_key.id = $1`
const remove = 'DELETE FROM api_key WHERE api_key.account_id = $1 AND api_key.id = $2'

const forgetOld = `
  WITH batches AS (
    DELETE FROM usage_batch WHERE usage_batch.applied_at <= now() - $1 * interval '1 millisecond' RETURNING 1),
  responses AS (
    DELETE FROM idempotency_key WHERE idempotency_key.created_at <= now() - $1 * interval '1 millisecond' RETURNING 1)
  SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM responses) AS forgotten`

async function findResponse(
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

async function insertKey(tx: Session, draft: ApiKeyDraft): Promise<ApiKey> {
  const { id, accountId: account, name, digest, prefix, last4, scopes, expiresInSeconds } = draft
  const values = [
    id,
    account,
    name,
    digest.digest,
    digest.pepperVersion,
    prefix,
    last4,
    scopes,
    expiresInSeconds,
  ]
  const { rows } = await tx.query<ApiKeyRow>({ name: 'api-key-add', text: insert, values })
  if (rows[0] === undefined) throw new Error('an insert returned no row')
  return restoreApiKey(rows[0])
}

export function postgresApiKeyStore(pool: Pool): ApiKeyStore {
  const add: ApiKeyStore['add'] = (draft, admit, request) =>
    transaction(pool, async (tx) => {
      const owner = [draft.accountId]
      const { rows: accounts } = await tx.query<{ plan: PlanName }>({
        name: 'api-key-lock-account',
        text: lockAccount,
        values: owner,
      })
      if (accounts[0] === undefined) throw accountNotFound()
      const response = request === null ? null : await findResponse(tx, draft.accountId, request.key)
      if (response !== null) return { state: 'replayed', response }
      const { rows } = await tx.query<{ held: number }>({
        name: 'api-key-count',
        text: countKeys,
        values: owner,
      })
      admit(accounts[0].plan, rows[0]?.held ?? 0)
      const apiKey = await insertKey(tx, draft)
      if (request !== null) {
        const { fingerprint, sealed } = request.seal(apiKey)
        const values = [draft.accountId, request.key.digest, fingerprint, sealed]
        await tx.query({ name: 'idempotency-store', text: storeSql, values })
      }
      return { state: 'added', apiKey }
    })
  return {
    add,
    async list(account) {
      const { rows } = await query<ApiKeyRow>(pool, { name: 'api-key-list', text: list, values: [account] })
      return rows.map(restoreApiKey)
    },
    async find(id) {
      const { rows } = await query<ApiKeyRow>(pool, { name: 'api-key-find', text: find, values: [id] })
      return rows[0] === undefined ? null : restoreApiKey(rows[0])
    },
    async remove(account, id) {
      return (
        (await query(pool, { name: 'api-key-remove', text: remove, values: [account, id] })).rowCount === 1
      )
    },
    resolve: (digests) => resolveHolder(pool, digests),
    usage: (id, from, to) => usage(pool, id, from, to),
    addUsage: (batchId, uses) => addUsage(pool, batchId, uses),
    async forgetOld() {
      const { rows } = await query<{ forgotten: string }>(pool, {
        name: 'api-key-forget',
        text: forgetOld,
        values: [idempotencyKeyLifeMs],
      })
      return Number(rows[0]?.forgotten ?? 0)
    },
  }
}
