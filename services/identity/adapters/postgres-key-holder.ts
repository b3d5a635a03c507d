import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { overlapBegan } from '../domain/account-event.js'
import { type ApiKeyScope, apiKeyId, type KeyDigest } from '../domain/api-key.js'
import type { KeyHolder } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { type ApiKeyRow, apiKeyColumns, restoreApiKey } from './postgres-api-key-row.js'
import { recordEvent } from './postgres-event-store.js'

const resolve = statement('api-key-resolve')(`
  SELECT ${accountColumns}, api_key.id AS api_key_id, api_key.name AS api_key_name, api_key.scopes, secret.number AS secret,
    encode(secret.digest, 'hex') AS digest, secret.number > 1 AND secret.first_used_at IS NULL AS is_new,
    (extract(epoch FROM least(api_key.expires_at, secret.expires_at) - now()) * 1000)::bigint AS time_left_ms,
    (extract(epoch FROM now() - account.signed_in_at) * 1000)::bigint AS owner_idle_ms
  FROM api_key_secret AS secret JOIN api_key ON api_key.id = secret.api_key_id
    JOIN account ON account.id = api_key.account_id
  WHERE secret.digest = ANY ($1) AND (api_key.expires_at IS NULL OR api_key.expires_at > now())
    AND (secret.expires_at IS NULL OR secret.expires_at > now())`)

const rehash = statement('api-key-rehash')(`
  UPDATE api_key_secret SET digest = decode($1, 'hex'), pepper_version = $2
  WHERE api_key_secret.digest = decode($3, 'hex')`)

export const findKey = statement('api-key-find')(`SELECT ${apiKeyColumns} FROM api_key WHERE api_key.id = $1`)

/** Anything that changes the secrets of a key takes this lock first. */
export const lockKey = statement('api-key-lock')(`
  SELECT api_key.id FROM api_key WHERE api_key.id = $1 FOR NO KEY UPDATE`)

const begin = statement('api-key-overlap')(`
  WITH used AS (
    UPDATE api_key_secret SET first_used_at = date_trunc('milliseconds', now()), expires_at = NULL
    WHERE api_key_secret.api_key_id = $1 AND api_key_secret.number = $2 AND api_key_secret.first_used_at IS NULL
    RETURNING api_key_secret.api_key_id, api_key_secret.number, api_key_secret.overlap_s)
  UPDATE api_key_secret AS previous
  SET expires_at = least(previous.expires_at,
    date_trunc('milliseconds', now()) + used.overlap_s * interval '1 second')
  FROM used WHERE previous.api_key_id = used.api_key_id AND previous.number < used.number`)

interface HolderRow extends AccountRow {
  readonly api_key_id: string
  readonly api_key_name: string
  readonly scopes: ApiKeyScope[]
  readonly secret: number
  readonly digest: string
  readonly is_new: boolean
  readonly time_left_ms: string | null
  readonly owner_idle_ms: string
}

function find(pool: Pool, digests: readonly KeyDigest[]): Promise<HolderRow | undefined> {
  const wanted = digests.map(({ digest }) => Buffer.from(digest, 'hex'))
  return firstRow<HolderRow>(pool, resolve(wanted))
}

function beginOverlap(pool: Pool, { api_key_id: id, secret }: HolderRow): Promise<void> {
  return transaction(pool, async (tx) => {
    await tx.query(lockKey(id))
    const began = (await rowCount(tx, begin(id, secret))) > 0
    const row = await firstRow<ApiKeyRow>(tx, findKey(id))
    // Two processes may see the first use of a secret; only one records it.
    if (row !== undefined && began) await recordEvent(tx, overlapBegan(restoreApiKey(row)))
  })
}

async function keepByNewest(pool: Pool, row: HolderRow, newest: KeyDigest | undefined): Promise<void> {
  if (newest === undefined || row.digest === newest.digest) return
  await query(pool, rehash(newest.digest, newest.pepperVersion, row.digest))
}

/**
 * The account that the secret with one of these hashes acts for; a secret found by an older hash is rehashed.
 * A new secret is looked up again once its first use is recorded, because another rotation may have replaced
 * it meanwhile.
 */
export async function resolveHolder(pool: Pool, digests: readonly KeyDigest[]): Promise<KeyHolder | null> {
  const first = await find(pool, digests)
  if (first === undefined) return null
  if (first.is_new) await beginOverlap(pool, first)
  const row = first.is_new ? await find(pool, digests) : first
  if (row === undefined) return null
  await keepByNewest(pool, row, digests[0])
  const account = restoreAccount(row)
  return {
    account,
    apiKey: {
      id: apiKeyId(row.api_key_id),
      accountId: account.id,
      name: row.api_key_name,
      scopes: row.scopes,
    },
    secret: row.secret,
    overlapBegan: first.is_new,
    ownerIdleMs: Number(row.owner_idle_ms),
    timeLeftMs: row.time_left_ms === null ? null : Number(row.time_left_ms),
  }
}
