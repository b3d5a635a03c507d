import type { PlanName } from '#shared/core/plan.js'
import { type Account, type AccountId, accountNotFound } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

/**
 * Records the plan that an account holds from now on, and has everybody forget the one before.
 * @throws DomainError `not_found`.
 */
export async function setPlan(
  { accounts, invalidation }: Pick<IdentityPorts, 'accounts' | 'invalidation'>,
  id: AccountId,
  plan: PlanName,
  version: number,
): Promise<{ account: Account; applied: boolean }> {
  const changed = await accounts.setPlan(id, plan, version)
  if (changed === null) throw accountNotFound()
  // Also when it was known: whoever delivers a plan again may have failed between its two steps before.
  await invalidation.invalidate(id)
  return changed
}
