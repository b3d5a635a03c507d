import { statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { AuditEntryDraft, OperatorDecision } from '#shared/core/audit-entry.js'
import { recordEntry } from '#shared/operator/audit-table.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { type ManualPlan, planReceivers } from '../domain/manual-plan.js'
import { isLive, nextRecheck } from '../domain/subscription.js'

const saveAccount = statement('billing-save-account')(`
  INSERT INTO account (id, revision, customer_id, email_key, plan, plan_version)
  VALUES ($1, $2::bigint + 1, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, customer_id = excluded.customer_id,
    email_key = excluded.email_key, plan = excluded.plan, plan_version = excluded.plan_version
  WHERE account.revision = $2`)

const saveSubscription = statement('billing-save-subscription')(`
  INSERT INTO subscription (account_id, id, customer_id, status, billing_interval, started_at, current_period_end,
    cancel_at_period_end, overdue_since, live, email_key, look_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, customer_id = excluded.customer_id,
    status = excluded.status, billing_interval = excluded.billing_interval, started_at = excluded.started_at,
    current_period_end = excluded.current_period_end, cancel_at_period_end = excluded.cancel_at_period_end,
    overdue_since = excluded.overdue_since, live = excluded.live, email_key = excluded.email_key,
    look_at = excluded.look_at`)

const saveCheckout = statement('billing-save-checkout')(`
  INSERT INTO checkout (account_id, number, state, billing_interval, success_url, cancel_url, started_at, id, url,
    expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (account_id) DO UPDATE SET number = excluded.number, state = excluded.state,
    billing_interval = excluded.billing_interval, success_url = excluded.success_url,
    cancel_url = excluded.cancel_url, started_at = excluded.started_at, id = excluded.id, url = excluded.url,
    expires_at = excluded.expires_at`)

const saveUnwanted = statement('billing-save-unwanted')(`
  WITH gone AS (
    DELETE FROM unwanted_subscription
    WHERE unwanted_subscription.account_id = $1 AND unwanted_subscription.subscription_id <> ALL ($2::text[]))
  INSERT INTO unwanted_subscription (account_id, subscription_id) SELECT $1, unnest($2::text[])
  ON CONFLICT DO NOTHING`)

const addDeliveries = statement('billing-announce')(`
  INSERT INTO plan_delivery (account_id, receiver, version, plan, granted_until, message, shown_as)
  SELECT $1, unnest($2::text[]), $3, $4, $5::timestamptz, $6::text, $7::text`)

const saveManualPlan = statement('billing-save-grant')(`
  INSERT INTO plan_grant (account_id, until, look_at) VALUES ($1, $2, $2)
  ON CONFLICT (account_id) DO UPDATE SET until = excluded.until, look_at = excluded.look_at`)

const removeManualPlan = statement('billing-remove-grant')(`
  DELETE FROM plan_grant WHERE plan_grant.account_id = $1`)

async function writeSubscription(tx: Session, account: BillingAccount, now: Date): Promise<void> {
  const { subscription: s } = account
  if (s === null) return
  const times = [s.startedAt, s.currentPeriodEnd, s.cancelAtPeriodEnd, s.overdueSince]
  const derived = [isLive(s), account.emailKey, nextRecheck(s, now)]
  await tx.query(saveSubscription(account.id, s.id, s.customerId, s.status, s.interval, ...times, ...derived))
}

async function writeCheckout(tx: Session, { id, checkout }: BillingAccount): Promise<void> {
  if (checkout === null) return
  const { number, state, interval, successUrl, cancelUrl, startedAt } = checkout
  const page =
    checkout.state === 'open' ? [checkout.id, checkout.url, checkout.expiresAt] : [null, null, null]
  await tx.query(saveCheckout(id, number, state, interval, successUrl, cancelUrl, startedAt, ...page))
}

async function writeManualPlan(
  tx: Session,
  { id, manualPlan }: BillingAccount,
  before: ManualPlan | null,
): Promise<void> {
  if (manualPlan === null && before !== null) await tx.query(removeManualPlan(id))
  if (manualPlan !== null && manualPlan.until.getTime() !== before?.until.getTime())
    await tx.query(saveManualPlan(id, manualPlan.until))
}

/** What an operator did, and how the audit log has it. */
export interface RecordedDecision {
  readonly draft: AuditEntryDraft
  readonly decision: OperatorDecision
}

/** What the owner is told of a manual plan; nothing of its end. */
function noticeOf({ manualPlan }: BillingAccount, by: RecordedDecision | null): readonly unknown[] {
  if (by === null || manualPlan === null) return [null, '', null]
  return [manualPlan.until, by.decision.message, by.decision.shownAs]
}

/**
 * Writes an account with everything that belongs to it, and the deliveries of a new plan; false if the
 * account has changed since it was read.
 */
export async function saveAccountRows(
  tx: Session,
  account: BillingAccount,
  before: Pick<BillingAccount, 'planVersion' | 'manualPlan'> & { readonly revision: number },
  now: Date,
  by: RecordedDecision | null = null,
): Promise<boolean> {
  const { id, customerId, emailKey, plan, planVersion, unwanted } = account
  const values = [id, before.revision, customerId, emailKey, plan, planVersion]
  const { rowCount } = await tx.query(saveAccount(...values))
  if (rowCount === 0) return false
  await writeSubscription(tx, account, now)
  await writeCheckout(tx, account)
  await tx.query(saveUnwanted(id, unwanted))
  await writeManualPlan(tx, account, before.manualPlan)
  if (by !== null) await recordEntry(tx, 'audit_delivery', by.draft, by.decision)
  if (planVersion > before.planVersion) {
    await tx.query(addDeliveries(id, planReceivers, planVersion, plan, ...noticeOf(account, by)))
  }
  return true
}
