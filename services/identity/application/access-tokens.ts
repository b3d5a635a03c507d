import type { AccountId } from '../domain/account.js'
import { isIdle } from '../domain/api-key.js'
import { invalidAccessToken } from '../domain/authorize-job.js'
import type { IdentityPorts, TokenHolder } from '../ports.js'

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
