import { deleteOld } from '#libs/postgres/delete-old.js'
import { firstAs, firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { idempotencyKeyLifeMs } from '#shared/core/idempotency-key.js'
import { keyCreated, keyDeleted, limitNear } from '../domain/account-event.js'
import { type ApiKey, type ApiKeyDraft, apiKeyId } from '../domain/api-key.js'
import type { ApiKeyStore } from '../ports.js'
import { type ApiKeyRow, apiKeyColumns, restoreApiKey } from './postgres-api-key-row.js'
import { recordEvent } from './postgres-event-store.js'
import { findKey as find, resolveHolder } from './postgres-key-holder.js'
import { issueOnce, lockAccount, rowQueue } from './postgres-key-issue.js'
import { postgresRotations, removeEndedSecrets } from './postgres-key-rotation.js'
import { addUsage, usage } from './postgres-key-usage.js'

const countKeys = statement('api-key-count')(`
  SELECT count(*)::int AS held FROM api_key WHERE api_key.account_id = $1`)

/** A trigger adds the secret, as it also does for processes of the previous release. */
const insert = statement('api-key-add')(`
  INSERT INTO api_key (id, account_id, name, digest, pepper_version, prefix, last4, scopes, created_at, expires_at)
  VALUES ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8, date_trunc('milliseconds', now()),
    date_trunc('milliseconds', now()) + $9::bigint * interval '1 second')`)

const list = statement('api-key-list')(`
  SELECT ${apiKeyColumns} FROM api_key WHERE api_key.account_id = $1
  ORDER BY api_key.created_at DESC, api_key.id DESC`)

const remove = statement('api-key-remove')(`
  DELETE FROM api_key WHERE api_key.account_id = $1 AND api_key.id = $2 RETURNING api_key.id, api_key.name`)

const lifeOver = (column: string) => (row: string) =>
  `${row}.${column} <= now() - interval '${idempotencyKeyLifeMs} milliseconds'`
const oldBatches = { name: 'usage-batch-forget', table: 'usage_batch', isOld: lifeOver('applied_at') }
const oldResponses = { name: 'response-forget', table: 'idempotency_key', isOld: lifeOver('created_at') }

async function insertKey(tx: Session, draft: ApiKeyDraft): Promise<ApiKey> {
  const { id, accountId: account, name, digest, prefix, last4, scopes, expiresInSeconds } = draft
  const secret = [digest.digest, digest.pepperVersion, prefix, last4]
  await tx.query(insert(id, account, name, ...secret, scopes, expiresInSeconds))
  const row = await firstRow<ApiKeyRow>(tx, find(id))
  if (row === undefined) throw new Error('a key that was added is not there')
  return restoreApiKey(row)
}

export function postgresApiKeyStore(pool: Pool): ApiKeyStore {
  const accounts = rowQueue()
  const addLocked: ApiKeyStore['add'] = (draft, admit, request) =>
    transaction(pool, async (tx) => {
      const plan = await lockAccount(tx, draft.accountId)
      return issueOnce(tx, draft.accountId, request, async () => {
        const held = (await firstRow<{ held: number }>(tx, countKeys(draft.accountId)))?.held ?? 0
        const limit = admit(plan, held)
        const apiKey = await insertKey(tx, draft)
        await recordEvent(tx, keyCreated(apiKey))
        const near = limitNear(draft.accountId, 'api_keys', held + 1, limit, apiKey.createdAt)
        if (near !== null) await recordEvent(tx, near)
        return apiKey
      })
    })
  return {
    add: (draft, admit, request) => accounts.run(draft.accountId, () => addLocked(draft, admit, request)),
    ...postgresRotations(pool, accounts),
    list: async (account) => (await query<ApiKeyRow>(pool, list(account))).rows.map(restoreApiKey),
    find: (id) => firstAs(pool, find(id), restoreApiKey),
    remove: (account, id) =>
      transaction(pool, async (tx) => {
        interface Removed {
          readonly id: string
          readonly name: string
        }
        const removed = await firstRow<Removed>(tx, remove(account, id))
        if (removed === undefined) return false
        await recordEvent(tx, keyDeleted({ ...removed, id: apiKeyId(removed.id), accountId: account }))
        return true
      }),
    resolve: (digests) => resolveHolder(pool, digests),
    usage: (id, from, to) => usage(pool, id, from, to),
    addUsage: (batchId, uses) => addUsage(pool, batchId, uses),
    async forgetOld(signal) {
      const forgotten =
        (await deleteOld(pool, oldBatches, signal)) + (await deleteOld(pool, oldResponses, signal))
      return forgotten + (await removeEndedSecrets(pool, signal))
    },
  }
}
