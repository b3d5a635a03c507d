import { enumName } from '#libs/core/domain-error.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import type { PlanName } from './core/plan.js'

/** The plan of a message. */
export function planMessage(plan: PlanName): Plan {
  return plan === 'pro' ? Plan.PLAN_PRO : Plan.PLAN_FREE
}

/**
 * The plan name in a message.
 * @throws DomainError `validation_failed` if it has none.
 */
export const planName = enumName<PlanName>(
  { [Plan.PLAN_FREE]: 'free', [Plan.PLAN_PRO]: 'pro' },
  '/plan',
  'required',
  'plan must be Free or Pro.',
)
