import { accountId } from '../domain/account.js'
import { type ApiKey, type ApiKeyScope, apiKeyId } from '../domain/api-key.js'

/** The columns of a key as `apiKeyColumns` lists them. */
export interface ApiKeyRow {
  readonly api_key_id: string
  readonly account_id: string
  readonly key_name: string
  readonly prefix: string
  readonly last4: string
  readonly scopes: ApiKeyScope[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly request_count: string
}

/** What a row of a key is restored from. */
export const apiKeyColumns = `api_key.id AS api_key_id, api_key.account_id, api_key.name AS key_name, api_key.prefix,
  api_key.last4, api_key.scopes, api_key.created_at, api_key.expires_at, api_key.last_used_at, api_key.request_count`

/** The key that a row holds. */
export function restoreApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: apiKeyId(row.api_key_id),
    accountId: accountId(row.account_id),
    name: row.key_name,
    prefix: row.prefix,
    last4: row.last4,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    requestCount: Number(row.request_count),
  }
}
