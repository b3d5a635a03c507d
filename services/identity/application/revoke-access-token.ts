import type { AccountId } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

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
