import { validationFailed } from '#libs/core/domain-error.js'
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
export function planName(plan: Plan): PlanName {
  switch (plan) {
    case Plan.PLAN_FREE:
      return 'free'
    case Plan.PLAN_PRO:
      return 'pro'
    default:
      throw validationFailed([{ pointer: '/plan', code: 'required', detail: 'plan must be Free or Pro.' }])
  }
}
