import { pageOf } from '#libs/core/page.js'
import { listFilter } from '#libs/postgres/list-filter.js'
import { type Pool, query, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { AuditEntry } from '#shared/core/audit-entry.js'
import { entryColumns, entryOf } from '#shared/operator/audit-table.js'
import type { AuditLog } from '../ports.js'

/** What is erased at this moment is skipped by whoever erases it, and erased after the entry is recorded. */
const lock = statement('audit-lock-accounts')(`
  SELECT FROM account WHERE account.id = ANY ($1::text[]) ORDER BY account.id FOR KEY SHARE`)

/** Of accounts that are erased already, an entry that arrives late has what an erasure leaves. */
const add = statement('audit-add')(`
  INSERT INTO operator_act (${entryColumns})
  SELECT $1, $2, CASE WHEN by_erased.it THEN by_erased.digest ELSE $3 END,
    CASE WHEN by_erased.it THEN '' ELSE $4 END, $5,
    CASE WHEN of_erased.it AND $5 = 'account' THEN of_erased.digest ELSE $6 END,
    CASE WHEN of_erased.it THEN of_erased.digest ELSE $7 END, $8,
    CASE WHEN of_erased.it THEN '' ELSE $9 END, CASE WHEN of_erased.it THEN '{}'::jsonb ELSE $10::jsonb END, $11
  FROM (SELECT encode(digest.it, 'hex') AS digest,
      EXISTS (SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = digest.it) AS it
      FROM sha256(convert_to($3::text, 'UTF8')) AS digest (it)) AS by_erased,
    (SELECT encode(digest.it, 'hex') AS digest,
      EXISTS (SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = digest.it) AS it
      FROM sha256(convert_to($7::text, 'UTF8')) AS digest (it)) AS of_erased
  ON CONFLICT (id) DO NOTHING`)

/** The audit log in Postgres. Its table has the name that the previous release reads. */
export function postgresAuditLog(pool: Pool): AuditLog {
  return {
    async record({ id, action, operatorId, operatorName, subject, accountId, ...entry }) {
      const { reason, message, detail, createdAt } = entry
      const about = [subject.kind, subject.id, accountId, reason, message, JSON.stringify(detail), createdAt]
      await transaction(pool, async (tx) => {
        await tx.query(lock([accountId, operatorId]))
        await tx.query(add(id, action, operatorId, operatorName, ...about))
      })
    },

    async list({ accountId, subjectId, after, itemsMax }) {
      const filter = listFilter('operator_act', [itemsMax + 1], 'true')
      filter.add('account', accountId, (account) => `operator_act.account_id = ${account}`)
      filter.add('subject', subjectId, (subject) => `operator_act.subject_id = ${subject}`)
      filter.after(after)
      const text = `
        SELECT ${entryOf('operator_act')} FROM operator_act WHERE ${filter.sql()}
        ORDER BY operator_act.created_at DESC, operator_act.id DESC LIMIT $1`
      const { rows } = await query<AuditEntry>(pool, { text, values: filter.values })
      return pageOf(rows, itemsMax)
    },
  }
}
