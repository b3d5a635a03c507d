import { accountId } from '../domain/account.js'
import { type ApiKey, type ApiKeyScope, apiKeyId, type KeySecret } from '../domain/api-key.js'

interface SecretOfRow {
  readonly number: number
  readonly prefix: string
  readonly last4: string
  readonly created_at: string
  readonly first_used_at: string | null
  readonly last_used_at: string | null
  readonly expires_at: string | null
}

export interface ApiKeyRow {
  readonly api_key_id: string
  readonly account_id: string
  readonly key_name: string
  readonly scopes: ApiKeyScope[]
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly request_count: string
  /** Newest first. */
  readonly secrets: readonly SecretOfRow[]
}

export const apiKeyColumns = `api_key.id AS api_key_id, api_key.account_id, api_key.name AS key_name,
  api_key.scopes, api_key.created_at, api_key.expires_at, api_key.last_used_at, api_key.request_count,
  (SELECT json_agg(json_build_object('number', secret.number, 'prefix', secret.prefix, 'last4', secret.last4,
      'created_at', secret.created_at, 'first_used_at', secret.first_used_at, 'last_used_at', secret.last_used_at,
      'expires_at', secret.expires_at) ORDER BY secret.number DESC)
    FROM api_key_secret AS secret
    WHERE secret.api_key_id = api_key.id AND (secret.expires_at IS NULL OR secret.expires_at > now())) AS secrets`

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

function restoreSecret(row: SecretOfRow): KeySecret {
  return {
    number: row.number,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: new Date(row.created_at),
    firstUsedAt: dateOf(row.first_used_at),
    lastUsedAt: dateOf(row.last_used_at),
    expiresAt: dateOf(row.expires_at),
  }
}

export function restoreApiKey(row: ApiKeyRow): ApiKey {
  const [current, previous] = row.secrets.map(restoreSecret)
  // One of a key's secrets always has no end.
  if (current === undefined) throw new Error('an API key has no secret')
  return {
    id: apiKeyId(row.api_key_id),
    accountId: accountId(row.account_id),
    name: row.key_name,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    requestCount: Number(row.request_count),
    current,
    previous: previous ?? null,
  }
}
