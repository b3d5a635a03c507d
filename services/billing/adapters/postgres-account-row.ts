import { statement } from '#libs/postgres/pool.js'
import type { PlanName } from '#shared/core/plan.js'
import type { BillingAccount } from '../domain/billing-account.js'
import type { Checkout } from '../domain/checkout.js'
import { type AccountId, checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { BillingInterval, Subscription, SubscriptionStatus } from '../domain/subscription.js'

/** The columns of an account and everything that belongs to it, as `loadAccount` selects them. */
export interface AccountRow {
  readonly now: Date
  readonly revision: string | null
  readonly customer_id: string | null
  readonly email_key: string | null
  readonly plan: PlanName | null
  readonly plan_version: string | null
  readonly subscription_id: string | null
  readonly subscription_customer_id: string | null
  readonly status: SubscriptionStatus | null
  readonly subscription_interval: BillingInterval | null
  readonly subscription_started_at: Date | null
  readonly current_period_end: Date | null
  readonly cancel_at_period_end: boolean | null
  readonly overdue_since: Date | null
  readonly granted_until: Date | null
  readonly checkout_number: string | null
  readonly checkout_state: Checkout['state'] | null
  readonly checkout_interval: BillingInterval | null
  readonly success_url: string | null
  readonly cancel_url: string | null
  readonly checkout_started_at: Date | null
  readonly checkout_id: string | null
  readonly checkout_url: string | null
  readonly checkout_expires_at: Date | null
  readonly unwanted: readonly string[]
}

/** Returns one row for account `$1`, even if it is unknown, with the database's time. */
export const loadAccount = statement('billing-load')(`
  SELECT date_trunc('milliseconds', clock_timestamp()) AS now,
    account.revision, account.customer_id, account.email_key, account.plan, account.plan_version,
    subscription.id AS subscription_id, subscription.customer_id AS subscription_customer_id, subscription.status,
    subscription.billing_interval AS subscription_interval, subscription.started_at AS subscription_started_at,
    subscription.current_period_end, subscription.cancel_at_period_end, subscription.overdue_since,
    plan_grant.until AS granted_until, checkout.number AS checkout_number, checkout.state AS checkout_state,
    checkout.billing_interval AS checkout_interval, checkout.success_url, checkout.cancel_url,
    checkout.started_at AS checkout_started_at, checkout.id AS checkout_id, checkout.url AS checkout_url,
    checkout.expires_at AS checkout_expires_at,
    ARRAY(SELECT unwanted_subscription.subscription_id FROM unwanted_subscription
      WHERE unwanted_subscription.account_id = wanted.id) AS unwanted
  FROM (SELECT $1::text AS id) AS wanted
    LEFT JOIN account ON account.id = wanted.id
    LEFT JOIN subscription ON subscription.account_id = wanted.id
    LEFT JOIN plan_grant ON plan_grant.account_id = wanted.id
    LEFT JOIN checkout ON checkout.account_id = wanted.id`)

function damaged(what: string): Error {
  return new Error(`a row of ${what} lacks a column that it must have`)
}

function restoreSubscription(row: AccountRow): Subscription | null {
  if (row.subscription_id === null) return null
  const { status, subscription_interval: interval, subscription_started_at: startedAt } = row
  const { current_period_end: currentPeriodEnd, subscription_customer_id: customer } = row
  if (status === null || interval === null || startedAt === null) throw damaged('subscription')
  if (currentPeriodEnd === null || customer === null) throw damaged('subscription')
  return {
    id: subscriptionId(row.subscription_id),
    customerId: customerId(customer),
    status,
    interval,
    startedAt,
    currentPeriodEnd,
    cancelAtPeriodEnd: row.cancel_at_period_end === true,
    overdueSince: row.overdue_since,
  }
}

function restoreCheckout(row: AccountRow): Checkout | null {
  const { checkout_state: state, checkout_interval: interval, checkout_started_at: startedAt } = row
  if (state === null) return null
  const { success_url: successUrl, cancel_url: cancelUrl } = row
  if (interval === null || startedAt === null || successUrl === null || cancelUrl === null)
    throw damaged('checkout')
  const request = { interval, successUrl, cancelUrl, number: Number(row.checkout_number), startedAt }
  if (state !== 'open') return { ...request, state }
  const { checkout_id: id, checkout_url: url, checkout_expires_at: expiresAt } = row
  if (id === null || url === null || expiresAt === null) throw damaged('checkout')
  return { ...request, state, id: checkoutId(id), url, expiresAt }
}

/** The account in a row. */
export function restoreAccount(id: AccountId, row: AccountRow): BillingAccount {
  return {
    id,
    customerId: row.customer_id === null ? null : customerId(row.customer_id),
    emailKey: row.email_key,
    plan: row.plan ?? 'free',
    planVersion: Number(row.plan_version ?? 0),
    subscription: restoreSubscription(row),
    manualPlan: row.granted_until === null ? null : { until: row.granted_until },
    checkout: restoreCheckout(row),
    unwanted: row.unwanted.map(subscriptionId),
  }
}
