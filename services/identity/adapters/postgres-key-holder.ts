import { type Pool, query } from '#libs/postgres/pool.js'
import type { KeyDigest } from '../domain/api-key.js'
import type { KeyHolder } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { type ApiKeyRow, apiKeyColumns, restoreApiKey } from './postgres-api-key-row.js'

const resolve = `
  SELECT ${accountColumns}, ${apiKeyColumns}, encode(api_key.digest, 'hex') AS digest,
    (extract(epoch FROM api_key.expires_at - now()) * 1000)::bigint AS time_left_ms,
    (extract(epoch FROM now() - account.signed_in_at) * 1000)::bigint AS owner_idle_ms
  FROM api_key JOIN account ON account.id = api_key.account_id
  WHERE api_key.digest = ANY ($1) AND (api_key.expires_at IS NULL OR api_key.expires_at > now())`

const rehash = `
  UPDATE api_key SET digest = decode($2, 'hex'), pepper_version = $3
  WHERE api_key.id = $1 AND api_key.digest = decode($4, 'hex')`

interface HolderRow extends AccountRow, ApiKeyRow {
  readonly digest: string
  readonly time_left_ms: string | null
  readonly owner_idle_ms: string
}

/** Whom the key with any of these hashes acts for; a key found by another hash is kept by the first from now on. */
export async function resolveHolder(pool: Pool, digests: readonly KeyDigest[]): Promise<KeyHolder | null> {
  const wanted = digests.map(({ digest }) => Buffer.from(digest, 'hex'))
  const { rows } = await query<HolderRow>(pool, { name: 'api-key-resolve', text: resolve, values: [wanted] })
  const [row] = rows
  const [newest] = digests
  if (row === undefined) return null
  if (newest !== undefined && row.digest !== newest.digest) {
    const values = [row.api_key_id, newest.digest, newest.pepperVersion, row.digest]
    await query(pool, { name: 'api-key-rehash', text: rehash, values })
  }
  return {
    account: restoreAccount(row),
    apiKey: restoreApiKey(row),
    ownerIdleMs: Number(row.owner_idle_ms),
    timeLeftMs: row.time_left_ms === null ? null : Number(row.time_left_ms),
  }
}
