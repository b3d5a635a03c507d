import type {
  TrustedPublisher,
  TrustedPublisherEvent,
} from '#proto/snipkeep/identity/v1/trusted_publisher_service.js'
import type { CiIssuer } from '#shared/config/ci-issuers.js'
import { scopeNames } from '../../request/key-scopes.js'

export function publisherResponse(
  publisher: TrustedPublisher | undefined,
  issuers: readonly CiIssuer[],
): Record<string, unknown> {
  if (publisher?.createdAt === undefined) throw new Error('identity returned no trusted publisher')
  const { id, name, issuer, repository, claims, events, ttlSeconds, pinned, requestCount } = publisher
  return {
    id,
    name,
    issuer: issuers.find((one) => one.issuer === issuer)?.name ?? issuer,
    issuer_url: issuer,
    repository: repository === '' ? null : repository,
    claims,
    events,
    scopes: scopeNames(publisher.scopes),
    ttl: ttlSeconds,
    pinned,
    created_at: publisher.createdAt.toISOString(),
    disabled_at: publisher.disabledAt?.toISOString() ?? null,
    last_used_at: publisher.lastUsedAt?.toISOString() ?? null,
    request_count: requestCount,
  }
}

/** An attempt to get a token. */
export function eventResponse(event: TrustedPublisherEvent): Record<string, unknown> {
  const { id, at, reason, claim, claims, pin } = event
  return {
    id,
    at: at?.toISOString(),
    outcome: reason === '' ? 'issued' : 'refused',
    reason: reason === '' ? null : reason,
    claim: claim === '' ? null : claim,
    claims,
    pin: Object.keys(pin).length === 0 ? null : pin,
  }
}
