import { DomainError, invalidField } from '#libs/core/domain-error.js'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import type { PlanName } from '#shared/core/plan.js'
import type { AccountId } from './ids.js'

/** A plan that an operator gave an account by hand: Pro, until a time. */
export interface ManualPlan {
  readonly until: Date
}

/** The longest manual plan, in days; a longer one can be renewed. */
export const manualPlanDaysMax = 3_660

/** The manual plan if it is still in force. */
export function inForce(manualPlan: ManualPlan | null, now: Date): ManualPlan | null {
  return manualPlan !== null && now < manualPlan.until ? manualPlan : null
}

/**
 * A manual plan from now on.
 * @throws DomainError `validation_failed` unless it ends in the future, and within ten years.
 */
export function newManualPlan(until: Date, now: Date): ManualPlan {
  const most = now.getTime() + manualPlanDaysMax * 86_400_000
  if (until.getTime() > now.getTime() && until.getTime() <= most) return { until }
  const detail = `ends_at must be in the future, and at most ${manualPlanDaysMax} days from now.`
  throw invalidField('/ends_at', 'out_of_range', detail)
}

/** 404: nothing was granted, or it has ended. */
export function noManualPlan(): DomainError {
  return new DomainError('not-found', 'not_found', 'This account has no manually granted plan.')
}

/** The services that act on the plan of an account. */
export const planReceivers = ['identity', 'content', 'activity'] as const

/** One of these services. */
export type PlanReceiver = (typeof planReceivers)[number]

/** A plan to be delivered to one receiver. */
export interface PlanDelivery {
  readonly accountId: AccountId
  readonly receiver: PlanReceiver
  readonly plan: PlanName
  /** Grows with every change of the account's plan. */
  readonly version: number
  /** What an operator granted and tells the owner; `null` for other changes. */
  readonly granted: GrantTold | null
}

/** What the owner is told of a manual plan. */
interface GrantTold extends Pick<OperatorDecision, 'message' | 'shownAs'> {
  readonly until: Date
}
