import { statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { eraseFromAuditEntries, isErased, noteErased } from '#shared/erasure/erasure-ledger.js'
import type { AccountId } from '../domain/ids.js'

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
export async function eraseAccountRows(tx: Session, id: AccountId): Promise<void> {
  if (!(await isErased(tx, id))) await tx.query(lock(id))
  await noteErased(tx, id)
  await eraseFromAuditEntries(tx, id, ['operator_act', 'audit_delivery'])
  for (const text of statements) await tx.query({ text, values: [id] })
}
