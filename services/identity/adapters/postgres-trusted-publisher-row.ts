import { accountId } from '../domain/account.js'
import type { ApiKeyScope } from '../domain/api-key.js'
import type { CiProvider } from '../domain/ci-provider.js'
import { type Claims, type TrustedPublisher, trustedPublisherId } from '../domain/trusted-publisher.js'

export interface PublisherRow {
  readonly publisher_id: string
  readonly account_id: string
  readonly publisher_name: string
  readonly issuer: string
  readonly provider: CiProvider
  readonly repository: string
  readonly claims: Claims
  readonly events: string[]
  readonly scopes: ApiKeyScope[]
  readonly ttl_seconds: number
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly request_count: string
  readonly disabled_at: Date | null
}

export const publisherColumns = `trusted_publisher.id AS publisher_id, trusted_publisher.account_id,
  trusted_publisher.name AS publisher_name, trusted_publisher.issuer, trusted_publisher.provider,
  trusted_publisher.repository, trusted_publisher.claims, trusted_publisher.events, trusted_publisher.scopes,
  trusted_publisher.ttl_seconds, trusted_publisher.created_at, trusted_publisher.last_used_at,
  trusted_publisher.request_count, trusted_publisher.disabled_at`

export function restorePublisher(row: PublisherRow): TrustedPublisher {
  return {
    id: trustedPublisherId(row.publisher_id),
    accountId: accountId(row.account_id),
    name: row.publisher_name,
    issuer: row.issuer,
    provider: row.provider,
    repository: row.repository,
    claims: row.claims,
    events: row.events,
    scopes: row.scopes,
    ttlSeconds: row.ttl_seconds,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    requestCount: Number(row.request_count),
    disabledAt: row.disabled_at,
  }
}
