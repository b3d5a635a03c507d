import { invalidApiKey } from '../domain/api-key.js'
import type { IdentityPorts, KeyHolder } from '../ports.js'

/**
 * Whom a key acts for, whatever plan the account holds.
 * @throws DomainError `invalid_api_key` when it is unknown, expired or deleted.
 */
export async function resolveApiKey(
  { apiKeys, secrets }: Pick<IdentityPorts, 'apiKeys' | 'secrets'>,
  key: string,
): Promise<KeyHolder> {
  const holder = await apiKeys.resolve(secrets.digests(key))
  if (holder === null) throw invalidApiKey()
  return holder
}
