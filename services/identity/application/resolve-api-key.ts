import { invalidApiKey, isIdle } from '../domain/api-key.js'
import type { IdentityPorts, KeyHolder } from '../ports.js'

/** The account of a key, and whether it may be used. */
export interface ResolvedKey extends KeyHolder {
  /** Whether it is disabled until its owner signs in. */
  readonly idle: boolean
}

/**
 * The account that a key acts for, on any plan. If the first use of a new secret sets an end to the previous one,
 * cached callers are invalidated before this resolves.
 * @param idleDays how long keys work without a sign-in of their owner; `null` if unlimited.
 * @throws DomainError `invalid_api_key` if it is unknown, expired or deleted.
 */
export async function resolveApiKey(
  { apiKeys, secrets, invalidation }: Pick<IdentityPorts, 'apiKeys' | 'secrets' | 'invalidation'>,
  key: string,
  idleDays: number | null,
): Promise<ResolvedKey> {
  const holder = await apiKeys.resolve(secrets.digests(key))
  if (holder === null) throw invalidApiKey()
  if (holder.overlapBegan) await invalidation.invalidate(holder.account.id)
  return { ...holder, idle: isIdle(holder.ownerIdleMs, idleDays) }
}
