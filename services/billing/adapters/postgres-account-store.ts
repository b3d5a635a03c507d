import { unavailable } from '#libs/core/domain-error.js'
import { isUniqueViolation } from '#libs/postgres/errors.js'
import { leasedQueue } from '#libs/postgres/leased-queue.js'
import { firstAs, firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { eraseFromAuditEntries, isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { type AccountId, accountId } from '../domain/ids.js'
import type { BillingAccountStore, Subscriber, Updated } from '../ports.js'
import { type AccountRow, loadAccount, restoreAccount } from './postgres-account-row.js'
import { type RecordedDecision, saveAccountRows } from './postgres-account-save.js'

/**
 * Every change of an account saves this row under its revision, so a change in progress fails; inserting it waits for one
 * that creates it at this moment.
 */
const lock = statement('erasure-lock-account')(`
  INSERT INTO account (id, revision, plan, plan_version) VALUES ($1, 0, 'free', 0)
  ON CONFLICT (id) DO UPDATE SET revision = account.revision + 1`)

/** Of events, only the ids of the customer and the subscription are stored. */
const statements = [
  `DELETE FROM provider_event USING account
   WHERE account.id = $1 AND provider_event.customer_id = account.customer_id`,
  'DELETE FROM unwanted_subscription WHERE unwanted_subscription.account_id = $1',
  'DELETE FROM checkout WHERE checkout.account_id = $1',
  'DELETE FROM subscription WHERE subscription.account_id = $1',
  'DELETE FROM plan_grant WHERE plan_grant.account_id = $1',
  'DELETE FROM plan_delivery WHERE plan_delivery.account_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.account_id = $1',
  'DELETE FROM account WHERE account.id = $1',
]

/** Deletes an account; see `BillingAccountStore.erase`. */
async function eraseAccountRows(tx: Session, id: AccountId): Promise<void> {
  if (!(await isErased(tx, id))) await tx.query(lock(id))
  await noteErased(tx, id)
  await eraseFromAuditEntries(tx, id, ['operator_act', 'audit_delivery'])
  for (const text of statements) await tx.query({ text, values: [id] })
}

const ofCustomer = statement('billing-of-customer')(`
  SELECT account.id FROM account WHERE account.customer_id = $1`)

const subscriber = 'subscription.account_id AS "accountId", subscription.id AS "subscriptionId"'

const ofEmail = statement('billing-of-email')(`
  SELECT ${subscriber} FROM subscription
  WHERE subscription.email_key = $1 AND subscription.live`)

const subscribers = statement('billing-subscribers')(`
  SELECT ${subscriber} FROM subscription WHERE subscription.live`)

const dueSubscriptions = {
  name: 'billing-due',
  table: 'subscription',
  key: { accountId: 'text' },
  dueColumn: 'look_at',
  columns: 'subscription.account_id AS "accountId"',
} as const

const dueManualPlans = {
  name: 'billing-due-grants',
  table: 'plan_grant',
  key: { accountId: 'text' },
  dueColumn: 'look_at',
  columns: 'plan_grant.account_id AS "accountId"',
} as const

const unwanted = {
  name: 'billing-unwanted',
  table: 'unwanted_subscription',
  key: { accountId: 'text', subscriptionId: 'text' },
  columns:
    'unwanted_subscription.account_id AS "accountId", unwanted_subscription.subscription_id AS "subscriptionId"',
} as const

/** The maximum attempts; after this many conflicts, retrying does not help. */
const triesMax = 10

type Change = Parameters<BillingAccountStore['update']>[1]
type Recorded = RecordedDecision | null

/** Accounts in Postgres, with optimistic locking by revision. */
export function postgresAccountStore(pool: Pool): BillingAccountStore {
  const load = async (id: AccountId): Promise<{ account: BillingAccount; revision: number; now: Date }> => {
    const row = await firstRow<AccountRow>(pool, loadAccount(id))
    if (row === undefined) throw new Error('a select of one row returned none')
    return { account: restoreAccount(id, row), revision: Number(row.revision ?? 0), now: row.now }
  }

  const queues = {
    subscriptions: leasedQueue<Pick<Subscriber, 'accountId'>, 'accountId'>(pool, dueSubscriptions),
    grants: leasedQueue<Pick<Subscriber, 'accountId'>, 'accountId'>(pool, dueManualPlans),
    unwanted: leasedQueue<Subscriber, 'accountId' | 'subscriptionId'>(pool, unwanted),
  }

  const subscriberWith = async (emailKey: string): Promise<Subscriber | null> =>
    (await firstRow<Subscriber>(pool, ofEmail(emailKey))) ?? null

  /** One attempt; `null` on a conflict. */
  const tryUpdate = async (id: AccountId, change: Change, by: Recorded): Promise<Updated | null> => {
    const { account, revision, now } = await load(id)
    const changed = await change(account, now)
    if (changed === account) return { state: 'saved', account }
    const before = { revision, planVersion: account.planVersion, manualPlan: account.manualPlan }
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
    accountOf: (customerId) =>
      firstAs(pool, ofCustomer(customerId), ({ id }: { id: string }) => accountId(id)),
    subscriberWith,
    async update(id, change, by = null) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const updated = await tryUpdate(id, change, by)
        if (updated !== null) return updated
      }
      throw unavailable('The subscription is being changed by another request. Try again.')
    },
    async claimDue(count, leaseMs) {
      const due = await queues.subscriptions.claim(count, leaseMs)
      const grants = await queues.grants.claim(count, leaseMs)
      return [...new Set([...due, ...grants].map((one) => one.accountId))]
    },
    claimUnwanted: queues.unwanted.claim,
    erase: (id) => transaction(pool, (tx) => eraseAccountRows(tx, id)),
    subscribers: async () => (await query<Subscriber>(pool, subscribers())).rows,
  }
}
