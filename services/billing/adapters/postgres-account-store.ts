import { unavailable } from '#libs/core/domain-error.js'
import { isUniqueViolation } from '#libs/postgres/errors.js'
import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { type AccountId, accountId, subscriptionId } from '../domain/ids.js'
import type { BillingAccountStore, Subscriber, Updated } from '../ports.js'
import { eraseAccountRows } from './postgres-account-erasure.js'
import { type AccountRow, loadAccount, restoreAccount } from './postgres-account-row.js'
import { type RecordedDecision, saveAccountRows } from './postgres-account-save.js'

const ofCustomer = 'SELECT account.id FROM account WHERE account.customer_id = $1'

const ofEmail = `
  SELECT subscription.account_id, subscription.id AS subscription_id FROM subscription
  WHERE subscription.email_key = $1 AND subscription.live`

const subscribers = `
  SELECT subscription.account_id, subscription.id AS subscription_id FROM subscription WHERE subscription.live`

/** They select first, in a materialized step: as a condition, the limit would depend on the query plan. */
const claimDue = `
  WITH due AS MATERIALIZED (
    SELECT subscription.account_id FROM subscription WHERE subscription.look_at <= now()
    ORDER BY subscription.look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE subscription SET look_at = now() + $2 * interval '1 millisecond' FROM due
  WHERE subscription.account_id = due.account_id
  RETURNING subscription.account_id, subscription.id AS subscription_id`

const claimDueGrants = `
  WITH due AS MATERIALIZED (
    SELECT plan_grant.account_id FROM plan_grant WHERE plan_grant.look_at <= now()
    ORDER BY plan_grant.look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE plan_grant SET look_at = now() + $2 * interval '1 millisecond' FROM due
  WHERE plan_grant.account_id = due.account_id
  RETURNING plan_grant.account_id, '' AS subscription_id`

const claimUnwanted = `
  WITH due AS MATERIALIZED (
    SELECT unwanted_subscription.account_id, unwanted_subscription.subscription_id FROM unwanted_subscription
    WHERE unwanted_subscription.due_at <= now()
    ORDER BY unwanted_subscription.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE unwanted_subscription SET due_at = now() + $2 * interval '1 millisecond' FROM due
  WHERE unwanted_subscription.account_id = due.account_id
    AND unwanted_subscription.subscription_id = due.subscription_id
  RETURNING unwanted_subscription.account_id, unwanted_subscription.subscription_id`

/** The maximum attempts; after this many conflicts, retrying does not help. */
const triesMax = 10

interface SubscriberRow {
  readonly account_id: string
  readonly subscription_id: string
}

function restoreSubscriber(row: SubscriberRow): Subscriber {
  return { accountId: accountId(row.account_id), subscriptionId: subscriptionId(row.subscription_id) }
}

type Change = Parameters<BillingAccountStore['update']>[1]
type Recorded = RecordedDecision | null

/** Accounts in Postgres, with optimistic locking by revision. */
export function postgresAccountStore(pool: Pool): BillingAccountStore {
  const load = async (id: AccountId): Promise<{ account: BillingAccount; revision: number; now: Date }> => {
    const { rows } = await query<AccountRow>(pool, { name: 'billing-load', text: loadAccount, values: [id] })
    const [row] = rows
    if (row === undefined) throw new Error('a select of one row returned none')
    return { account: restoreAccount(id, row), revision: Number(row.revision ?? 0), now: row.now }
  }

  const claimed = async (name: string, text: string, values: unknown[]): Promise<readonly Subscriber[]> => {
    const { rows } = await query<SubscriberRow>(pool, { name, text, values })
    return rows.map(restoreSubscriber)
  }

  const subscriberWith = async (emailKey: string): Promise<Subscriber | null> =>
    (await claimed('billing-of-email', ofEmail, [emailKey]))[0] ?? null

  /** One attempt; `null` on a conflict. */
  const tryUpdate = async (id: AccountId, change: Change, by: Recorded): Promise<Updated | null> => {
    const { account, revision, now } = await load(id)
    const changed = await change(account, now)
    if (changed === account) return { state: 'saved', account }
    const before = { revision, planVersion: account.planVersion, grant: account.grant }
    try {
      const saved = await transaction(pool, (tx) => saveAccountRows(tx, changed, before, now, by))
      return saved ? { state: 'saved', account: changed } : null
    } catch (error) {
      if (!isUniqueViolation(error, 'subscription_of_email')) throw error
      const by = changed.emailKey === null ? null : await subscriberWith(changed.emailKey)
      return by === null ? null : { state: 'email-taken', by }
    }
  }

  return {
    find: async (id) => (await load(id)).account,
    async accountOf(customerId) {
      const statement = { name: 'billing-of-customer', text: ofCustomer, values: [customerId] }
      const { rows } = await query<{ id: string }>(pool, statement)
      return rows[0] === undefined ? null : accountId(rows[0].id)
    },
    subscriberWith,
    async update(id, change, by = null) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const updated = await tryUpdate(id, change, by)
        if (updated !== null) return updated
      }
      throw unavailable('The subscription is being changed by another request. Try again.')
    },
    async claimDue(count, leaseMs) {
      const due = await claimed('billing-claim-due', claimDue, [count, leaseMs])
      const grants = await claimed('billing-claim-due-grants', claimDueGrants, [count, leaseMs])
      return [...new Set([...due, ...grants].map((one) => one.accountId))]
    },
    claimUnwanted: (count, leaseMs) => claimed('billing-claim-unwanted', claimUnwanted, [count, leaseMs]),
    erase: (id) => transaction(pool, (tx) => eraseAccountRows(tx, id)),
    subscribers: () => claimed('billing-subscribers', subscribers, []),
  }
}
