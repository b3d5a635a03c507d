import type { PlanName } from '#libs/core/plan.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'

/** The plan as messages name it. */
export function planMessage(plan: PlanName): Plan {
  return plan === 'pro' ? Plan.PLAN_PRO : Plan.PLAN_FREE
}
