import type { OperatorDecision } from '#shared/core/audit-entry.js'
import type { PlanName } from '#shared/core/plan.js'
import type { AccountId } from './ids.js'

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

/** What the owner is told of a grant. */
export interface GrantTold extends Pick<OperatorDecision, 'message' | 'shownAs'> {
  readonly until: Date
}
