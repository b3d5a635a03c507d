import type { PlanName } from '#shared/core/plan.js'
import type { AccountId } from './ids.js'

/** Who acts on the plan of an account. */
export const planReceivers = ['identity', 'content', 'activity'] as const

/** One of those who act on plans. */
export type PlanReceiver = (typeof planReceivers)[number]

/** A plan that one receiver is still to be told. */
export interface PlanDelivery {
  readonly accountId: AccountId
  readonly receiver: PlanReceiver
  readonly plan: PlanName
  /** Grows with every change of the account's plan. */
  readonly version: number
}
