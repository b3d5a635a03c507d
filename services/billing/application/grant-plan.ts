import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { type BillingAccount, withManualPlan } from '../domain/billing-account.js'
import type { AccountId } from '../domain/ids.js'
import { newManualPlan, noManualPlan } from '../domain/manual-plan.js'
import type { BillingPorts } from '../ports.js'

type Ports = Pick<BillingPorts, 'accounts'>

function savedOf(updated: Awaited<ReturnType<Ports['accounts']['update']>>): BillingAccount {
  if (updated.state === 'saved') return updated.account
  // Another account took over its e-mail address; a manual plan changes neither subscription.
  throw new Error('a grant was saved with a subscription of another account')
}

/**
 * Gives an account Pro until a time, in place of an earlier manual plan; a subscription goes on beside it. The same end again
 * changes nothing.
 * @throws DomainError `validation_failed` unless the end is in the future; `unavailable`.
 */
export async function grantPlan(
  { accounts }: Ports,
  id: AccountId,
  until: Date,
  decision: OperatorDecision,
): Promise<BillingAccount> {
  const subject = { kind: 'account', id } as const
  const detail = { plan: 'pro', until: until.toISOString() }
  const draft = { action: 'plan.granted', subject, accountId: id, detail }
  const change = (account: BillingAccount, now: Date): BillingAccount => {
    if (account.manualPlan?.until.getTime() === until.getTime()) return account
    return withManualPlan(account, newManualPlan(until, now), now)
  }
  return savedOf(await accounts.update(id, change, { draft, decision }))
}

/**
 * Ends a manual plan now; the plan is then that of the subscription.
 * @throws DomainError `not_found` without a manual plan; `unavailable`.
 */
export async function endPlanGrant(
  { accounts }: Ports,
  id: AccountId,
  decision: OperatorDecision,
): Promise<BillingAccount> {
  const subject = { kind: 'account', id } as const
  const draft = { action: 'plan.grant_ended', subject, accountId: id, detail: {} }
  const change = (account: BillingAccount, now: Date): BillingAccount => {
    if (account.manualPlan === null) throw noManualPlan()
    return withManualPlan(account, null, now)
  }
  return savedOf(await accounts.update(id, change, { draft, decision }))
}
