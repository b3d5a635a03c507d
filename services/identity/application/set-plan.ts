import type { PlanName } from '#shared/core/plan.js'
import { type Account, type AccountId, accountNotFound } from '../domain/account.js'
import type { ManualPlan } from '../domain/account-event.js'
import type { IdentityPorts } from '../ports.js'

/**
 * Records an account's new plan and, if an operator gave it, the event of that; invalidates cached callers.
 * @throws DomainError `not_found`.
 */
export async function setPlan(
  { accounts, invalidation }: Pick<IdentityPorts, 'accounts' | 'invalidation'>,
  id: AccountId,
  plan: PlanName,
  version: number,
  grant: ManualPlan | null = null,
): Promise<{ account: Account; applied: boolean }> {
  const changed = await accounts.setPlan(id, plan, version, grant)
  if (changed === null) throw accountNotFound()
  // Also if it was already recorded: an earlier delivery may have failed between its two steps.
  await invalidation.invalidate(id)
  return changed
}
