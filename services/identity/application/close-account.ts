import { type AccountId, accountNotFound } from '../domain/account.js'
import type { ChangedAccount } from '../erasure-ports.js'
import type { IdentityPorts } from '../ports.js'

type Ports = Pick<IdentityPorts, 'erasures' | 'invalidation'>

/**
 * Closes an account: from now on its credentials can only restore it, and after `days` it is erased. Safe to repeat.
 * @throws DomainError `not_found`.
 */
export async function closeAccount(
  { erasures, invalidation }: Ports,
  id: AccountId,
  days: number,
): Promise<ChangedAccount> {
  const closed = await erasures.close(id, days)
  if (closed === null) throw accountNotFound()
  await invalidation.invalidate(id)
  return closed
}

/**
 * Opens a closing account again. Safe to repeat.
 * @throws DomainError `not_found`, `account_erased`.
 */
export async function restoreAccount(
  { erasures, invalidation }: Ports,
  id: AccountId,
): Promise<ChangedAccount> {
  const restored = await erasures.restore(id)
  if (restored === null) throw accountNotFound()
  await invalidation.invalidate(id)
  return restored
}

const batch = 100

/**
 * Begins the erasure of accounts whose time is over, and ends it for those that every other service has erased. May run
 * in several processes at once, and after a crash at any point. Returns how many accounts are gone.
 */
export async function eraseAccounts({ erasures }: Pick<IdentityPorts, 'erasures'>): Promise<number> {
  while ((await erasures.beginDue(batch)) === batch);
  return erasures.eraseFinished(batch)
}
