import type { Session } from '#libs/postgres/session.js'
import { eraseFromAuditEntries, noteErased } from '#shared/erasure/erasure-ledger.js'
import type { AccountId } from '../domain/account.js'

/**
 * Secrets, usage, tokens and attempts go with their keys and rules. Events come after these: the use of a key that is
 * being noted may still add one. All of it is bounded by limits of the account.
 */
const statements = [
  'DELETE FROM account_step WHERE account_step.account_id = $1',
  'DELETE FROM idempotency_key WHERE idempotency_key.account_id = $1',
  'DELETE FROM api_key WHERE api_key.account_id = $1',
  'DELETE FROM trusted_publisher WHERE trusted_publisher.account_id = $1',
  'DELETE FROM event WHERE event.account_id = $1',
  `INSERT INTO erasure_receipt (account_digest, service) VALUES (sha256(convert_to($1::text, 'UTF8')), 'identity')
   ON CONFLICT DO NOTHING`,
  'DELETE FROM account WHERE account.id = $1',
]

/** Deletes an account that is locked; what is left is its digest in the ledger, in receipts and in the audit log. */
export async function eraseRows(tx: Session, id: AccountId): Promise<void> {
  await noteErased(tx, id)
  await eraseFromAuditEntries(tx, id, ['operator_act'])
  for (const text of statements) await tx.query({ text, values: [id] })
}
