import { type Pool, query } from '#libs/postgres/pool.js'
import type { AccountRecord, OperatorAccounts } from '../ports.js'
import { type AccountRow, accountColumns, restoreAccount } from './postgres-account-store.js'

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
  return {
    suspend: async (id, reason) => (await run('account-suspend', suspend, [id, reason]))[0] ?? null,
    resume: async (id) => (await run('account-resume', resume, [id]))[0] ?? null,
    search: (text, limit) => run('account-search', search, [text, limit]),
  }
}
