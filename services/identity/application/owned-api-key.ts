import { notOwner } from '#libs/core/domain-error.js'
import type { AccountId } from '../domain/account.js'
import { type ApiKey, type ApiKeyId, apiKeyNotFound } from '../domain/api-key.js'
import type { IdentityPorts } from '../ports.js'

/**
 * The account's key.
 * @throws DomainError `not_found`; `not_owner` if it belongs to another account.
 */
export async function ownedApiKey(
  { apiKeys }: Pick<IdentityPorts, 'apiKeys'>,
  accountId: AccountId,
  id: ApiKeyId,
): Promise<ApiKey> {
  const found = await apiKeys.find(id)
  if (found === null) throw apiKeyNotFound()
  if (found.accountId !== accountId) throw notOwner()
  return found
}
