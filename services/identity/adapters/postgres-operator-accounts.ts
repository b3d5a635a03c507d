import { firstRow, type Pool, type Prepared, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { OperatorDecision } from '#shared/core/audit-entry.js'
import { recordEntry } from '#shared/operator/audit-table.js'
import type { AccountId, AccountRecord } from '../domain/account.js'
import { accountResumed, accountSuspended } from '../domain/account-event.js'
import type { OperatorAccounts } from '../ports.js'
import { addHiddenStep } from './postgres-account-steps.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { recordEvent } from './postgres-event-store.js'

interface RecordRow extends AccountRow {
  readonly issuer: string
  readonly subject: string
  readonly signed_in_at: Date
  readonly suspension_reason: string | null
  readonly suspension_version: string
  readonly api_keys: number
}

const columns = `${accountColumns}, account.issuer, account.subject, account.signed_in_at, account.suspension_reason,
  account.suspension_version, (SELECT count(*)::int FROM api_key WHERE api_key.account_id = account.id) AS api_keys`

/** A version of 0 was suspended by a release that did not count. */
const suspend = statement('account-suspend')(`
  UPDATE account SET suspended_at = coalesce(account.suspended_at, date_trunc('milliseconds', now())),
    suspension_reason = coalesce($2, account.suspension_reason),
    suspension_version = account.suspension_version
      + (account.suspended_at IS NULL OR account.suspension_version = 0)::int
  WHERE account.id = $1 RETURNING ${columns}`)

const lock = statement('account-lock')(`
  SELECT account.suspended_at, account.suspension_reason, account.suspension_version FROM account WHERE account.id = $1 FOR NO KEY UPDATE`)

const resume = statement('account-resume')(`
  UPDATE account SET suspended_at = NULL, suspension_reason = NULL,
    suspension_version = account.suspension_version + (account.suspended_at IS NOT NULL)::int
  WHERE account.id = $1 RETURNING ${columns}`)

const search = statement('account-search')(`
  SELECT ${columns} FROM account
  WHERE account.id = $1 OR account.subject = $1 OR lower(account.email) = lower($1)
  ORDER BY account.created_at DESC, account.id DESC LIMIT $2`)

const closing = statement('account-closing')(`
  SELECT ${columns} FROM account WHERE account.erase_after IS NOT NULL
  ORDER BY account.erase_after, account.id LIMIT $1`)

function restore(row: RecordRow): AccountRecord {
  return {
    account: restoreAccount(row),
    identity: { issuer: row.issuer, subject: row.subject },
    signedInAt: row.signed_in_at,
    suspensionReason: row.suspension_reason,
    suspensionVersion: Number(row.suspension_version),
    apiKeys: row.api_keys,
  }
}

type Before = Pick<RecordRow, 'suspended_at' | 'suspension_reason' | 'suspension_version'>

/** Changes an account; if that changed anything, records an event and an audit entry, and tells content. */
async function changeIn(
  tx: Session,
  id: AccountId,
  update: Prepared,
  decision: OperatorDecision,
): Promise<AccountRecord | null> {
  const before = await firstRow<Before>(tx, lock(id))
  const row = await firstRow<RecordRow>(tx, update)
  if (before === undefined || row === undefined) return null
  const [was, is] = [before.suspended_at !== null, row.suspended_at !== null]
  if (before.suspension_version !== row.suspension_version) await addHiddenStep(tx, id)
  if (was !== is) await recordEvent(tx, is ? accountSuspended(id, decision) : accountResumed(id, decision))
  if (was !== is || before.suspension_reason !== row.suspension_reason) {
    const action = is ? 'account.suspended' : 'account.resumed'
    const draft = { action, subject: { kind: 'account', id }, accountId: id, detail: {} } as const
    await recordEntry(tx, 'operator_act', draft, decision)
  }
  return restore(row)
}

/** Closing accounts, the next one to be erased first. */
export async function closingRecords(pool: Pool, limit: number): Promise<readonly AccountRecord[]> {
  return (await query<RecordRow>(pool, closing(limit))).rows.map(restore)
}

/** An operator's view of accounts in Postgres. */
export function postgresOperatorAccounts(pool: Pool): OperatorAccounts {
  return {
    suspend(id, decision) {
      const update = suspend(id, decision.reason === '' ? null : decision.reason)
      return transaction(pool, (tx) => changeIn(tx, id, update, decision))
    },
    resume: (id, decision) => transaction(pool, (tx) => changeIn(tx, id, resume(id), decision)),
    search: async (text, limit) => (await query<RecordRow>(pool, search(text, limit))).rows.map(restore),
  }
}
