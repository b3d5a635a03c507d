import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { AccountId } from '../domain/account.js'
import { accountResumed, accountSuspended } from '../domain/account-event.js'
import type { AccountRecord, OperatorAccounts } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'
import { recordEvent } from './postgres-event-store.js'

interface RecordRow extends AccountRow {
  readonly issuer: string
  readonly subject: string
  readonly signed_in_at: Date
  readonly suspension_reason: string | null
  readonly api_keys: number
}

const columns = `${accountColumns}, account.issuer, account.subject, account.signed_in_at, account.suspension_reason,
  (SELECT count(*)::int FROM api_key WHERE api_key.account_id = account.id) AS api_keys`

const suspend = `
  UPDATE account SET suspended_at = coalesce(account.suspended_at, date_trunc('milliseconds', now())),
    suspension_reason = coalesce($2, account.suspension_reason)
  WHERE account.id = $1 RETURNING ${columns}`

const lock = 'SELECT account.suspended_at FROM account WHERE account.id = $1 FOR NO KEY UPDATE'

const resume = `
  UPDATE account SET suspended_at = NULL, suspension_reason = NULL WHERE account.id = $1 RETURNING ${columns}`

/** Only operators search by e-mail address, so it has no index. */
const search = `
  SELECT ${columns} FROM account
  WHERE account.id = $1 OR account.subject = $1 OR lower(account.email) = lower($1)
  ORDER BY account.created_at DESC, account.id DESC LIMIT $2`

function restore(row: RecordRow): AccountRecord {
  return {
    account: restoreAccount(row),
    identity: { issuer: row.issuer, subject: row.subject },
    signedInAt: row.signed_in_at,
    suspensionReason: row.suspension_reason,
    apiKeys: row.api_keys,
  }
}

/** An operator's view of accounts in Postgres. */
export function postgresOperatorAccounts(pool: Pool): OperatorAccounts {
  const run = async (name: string, text: string, values: unknown[]): Promise<readonly AccountRecord[]> =>
    (await query<RecordRow>(pool, { name, text, values })).rows.map(restore)
  /** Changes an account, and records an event if that suspended or resumed it. */
  const change = (
    id: AccountId,
    name: string,
    text: string,
    values: unknown[],
  ): Promise<AccountRecord | null> =>
    transaction(pool, async (tx) => {
      const find = { name: 'account-lock', text: lock, values: [id] }
      const [before] = (await tx.query<Pick<RecordRow, 'suspended_at'>>(find)).rows
      const [row] = (await tx.query<RecordRow>({ name, text, values })).rows
      if (before === undefined || row === undefined) return null
      const [was, is] = [before.suspended_at !== null, row.suspended_at !== null]
      if (was !== is) await recordEvent(tx, is ? accountSuspended(id) : accountResumed(id))
      return restore(row)
    })
  return {
    suspend: (id, reason) => change(id, 'account-suspend', suspend, [id, reason]),
    resume: (id) => change(id, 'account-resume', resume, [id]),
    search: (text, limit) => run('account-search', search, [text, limit]),
  }
}
