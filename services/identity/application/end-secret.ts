import type { AccountId } from '../domain/account.js'
import { type ApiKeyId, apiKeyNotFound } from '../domain/api-key.js'
import { noPreviousSecret } from '../domain/rotation.js'
import type { IdentityPorts } from '../ports.js'
import { ownedApiKey } from './owned-api-key.js'

type Ports = Pick<IdentityPorts, 'apiKeys' | 'secrets' | 'invalidation'>

/**
 * Ends the older of a key's two secrets, and invalidates cached callers before this resolves.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function endPreviousSecret(
  ports: Omit<Ports, 'secrets'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<void> {
  await ownedApiKey(ports, accountId, id)
  if (!(await ports.apiKeys.endPrevious(accountId, id))) throw noPreviousSecret()
  await ports.invalidation.invalidate(accountId)
}

/** Ends a secret for its holder. Returns what it belonged to; `null` for an unknown one. */
export async function revokeHeldKey(
  { apiKeys, secrets, invalidation }: Ports,
  key: string,
): Promise<AccountId | null> {
  const revoked = await apiKeys.revoke(secrets.digests(key))
  if (revoked === null) return null
  await invalidation.invalidate(revoked.accountId)
  return revoked.accountId
}

/**
 * Deletes a key, and invalidates cached callers before this resolves.
 * @throws DomainError `not_found`, `not_owner`.
 */
export async function deleteApiKey(
  ports: Pick<IdentityPorts, 'apiKeys' | 'invalidation'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<void> {
  await ownedApiKey(ports, accountId, id)
  if (!(await ports.apiKeys.remove(accountId, id))) throw apiKeyNotFound()
  await ports.invalidation.invalidate(accountId)
}
