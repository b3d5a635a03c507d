import type { IdentityPorts } from '../ports.js'

const batch = 100

/**
 * Begins the erasure of accounts whose time is over, and ends it for those that every other service has erased. May run
 * in several processes at once, and after a crash at any point. Returns how many accounts are gone.
 */
export async function eraseAccounts({ erasures }: Pick<IdentityPorts, 'erasures'>): Promise<number> {
  while ((await erasures.beginDue(batch)) === batch);
  return erasures.eraseFinished(batch)
}
