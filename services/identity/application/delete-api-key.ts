import type { AccountId } from '../domain/account.js'
import { type ApiKeyId, apiKeyNotFound } from '../domain/api-key.js'
import type { IdentityPorts } from '../ports.js'
import { ownedApiKey } from './owned-api-key.js'

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
