import type { PlanCatalogue } from '#shared/core/plan.js'
import type { AccountId } from '../domain/account.js'
import { isIdle } from '../domain/api-key.js'
import { type Assertion, authorizeJob, invalidAccessToken, invalidGrant } from '../domain/authorize-job.js'
import type { TrustedPublisher, TrustedPublisherId } from '../domain/trusted-publisher.js'
import type { IdentityPorts, TokenHolder } from '../ports.js'

export interface ExchangeRules {
  readonly plans: PlanCatalogue
  /** How long rules work without a sign-in of their owner; `null` if unlimited. */
  readonly idleDays: number | null
}

interface IssuedToken {
  readonly token: string
  readonly publisher: TrustedPublisher
}

/**
 * Exchanges a CI job's assertion for a token, once.
 * @throws DomainError `invalid_grant` for every failure.
 */
export async function exchangeAssertion(
  { trustedPublishers, ids, secrets }: Pick<IdentityPorts, 'trustedPublishers' | 'ids' | 'secrets'>,
  { plans, idleDays }: ExchangeRules,
  id: TrustedPublisherId,
  assertion: Assertion,
): Promise<IssuedToken> {
  const token = ids.accessToken()
  const [digest] = secrets.digests(token)
  const exchanged = await trustedPublishers.exchange(
    id,
    assertion,
    (publisher, owner) =>
      authorizeJob(
        publisher,
        {
          isSuspended: owner.account.suspendedAt !== null || owner.account.erasedAfter !== null,
          hasPlan: plans[owner.account.plan].trustedPublishers !== 0,
          isAway: isIdle(owner.ownerIdleMs, idleDays),
        },
        assertion,
      ),
    { digest, eventId: ids.publisherEvent() },
  )
  if (exchanged?.state !== 'issued') throw invalidGrant()
  return { token, publisher: exchanged.publisher }
}

/** The account of an access token, and whether the token may be used. */
export interface ResolvedToken extends TokenHolder {
  /** Whether its rule is disabled until its owner signs in. */
  readonly idle: boolean
}

/**
 * The account that an access token acts for, on any plan.
 * @param idleDays how long rules work without a sign-in of their owner; `null` if unlimited.
 * @throws DomainError `invalid_token` if it is unknown, expired or revoked.
 */
export async function resolveAccessToken(
  { trustedPublishers, secrets }: Pick<IdentityPorts, 'trustedPublishers' | 'secrets'>,
  token: string,
  idleDays: number | null,
): Promise<ResolvedToken> {
  const holder = await trustedPublishers.resolve(secrets.digests(token))
  if (holder === null) throw invalidAccessToken()
  return { ...holder, idle: isIdle(holder.ownerIdleMs, idleDays) }
}

/**
 * Revokes an access token, and invalidates cached callers before this resolves; `null` for an unknown one.
 */
export async function revokeAccessToken(
  {
    trustedPublishers,
    secrets,
    invalidation,
  }: Pick<IdentityPorts, 'trustedPublishers' | 'secrets' | 'invalidation'>,
  token: string,
): Promise<AccountId | null> {
  const accountId = await trustedPublishers.revoke(secrets.digests(token))
  if (accountId !== null) await invalidation.invalidate(accountId)
  return accountId
}
