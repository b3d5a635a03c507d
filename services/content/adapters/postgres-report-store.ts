import { pageOf } from '#libs/core/page.js'
import { listFilter } from '#libs/postgres/list-filter.js'
import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { recordEntry } from '#shared/operator/audit-table.js'
import { type Report, type ReportFilter, reportDays, reportsPerShareMax } from '../domain/report.js'
import type { ReportStore } from '../moderation-ports.js'

/** Locked, so that the number of its reports is exact. */
const lockShare = statement('report-lock-share')(`
  SELECT share.owner_id FROM share WHERE share.id = $1 FOR NO KEY UPDATE`)

const repeat = statement('report-repeat')(`
  UPDATE share_report SET reason = $3, message = $4, email = $5, times = share_report.times + 1,
    updated_at = date_trunc('milliseconds', clock_timestamp())
  WHERE share_report.share_id = $1 AND share_report.reporter = $2 AND share_report.resolved_at IS NULL`)

const add = statement('report-add')(`
  INSERT INTO share_report (id, share_id, owner_id, reason, message, email, reporter)
  SELECT replace(gen_random_uuid()::text, '-', ''), $1::text, $2::text, $3::text, $4::text, $5::text,
    $6::bytea
  WHERE (SELECT count(*) FROM share_report WHERE share_report.share_id = $1::text) < $7::integer`)

const columns = `share_report.id, share_report.share_id AS "shareId", share_report.owner_id AS "ownerId",
  share_report.reason, share_report.message, share_report.email, share_report.times, share_report.created_at AS "createdAt",
  share_report.updated_at AS "updatedAt", share_report.resolved_at AS "resolvedAt", share_report.note,
  coalesce(share.title, '') AS "shareTitle",
  CASE WHEN share.id IS NULL THEN 'deleted'
    WHEN EXISTS (SELECT FROM disabled_share WHERE disabled_share.share_id = share.id) THEN 'disabled'
    WHEN share.expires_at <= now() THEN 'expired' ELSE 'live' END AS "shareState"`

const from = 'FROM share_report LEFT JOIN share ON share.id = share_report.share_id'

const findOne = statement('report-find')(`SELECT ${columns} ${from} WHERE share_report.id = $1`)

const resolve = statement('report-resolve')(`
  UPDATE share_report SET resolved_at = date_trunc('milliseconds', clock_timestamp()), note = $2
  WHERE share_report.id = $1 AND share_report.resolved_at IS NULL`)

const deleteOld = statement('report-delete-old')(`
  DELETE FROM share_report WHERE share_report.id IN (
    SELECT old.id FROM share_report AS old
    WHERE old.resolved_at <= now() - $2 * interval '1 day'
      OR (old.resolved_at IS NULL AND old.updated_at <= now() - $3 * interval '1 day')
    LIMIT $1)`)

const ofState: Readonly<Record<ReportFilter['state'], string>> = {
  open: 'share_report.resolved_at IS NULL',
  resolved: 'share_report.resolved_at IS NOT NULL',
  all: 'true',
}

function listStatement({ state, reason, shareId: share, after, itemsMax }: ReportFilter) {
  const filter = listFilter('share_report', [itemsMax + 1], ofState[state])
  filter.add('reason', reason, (one) => `share_report.reason = ${one}`)
  filter.add('share', share, (one) => `share_report.share_id = ${one}`)
  filter.after(after)
  const text = `
    SELECT ${columns} ${from} WHERE ${filter.sql()}
    ORDER BY share_report.created_at DESC, share_report.id DESC LIMIT $1`
  return { text, values: filter.values }
}

/** Reports in Postgres. */
export function postgresReportStore(pool: Pool): ReportStore {
  return {
    add: ({ shareId: share, reason, message, email, reporter }) =>
      transaction(pool, async (tx) => {
        const found = await firstRow<{ owner_id: string }>(tx, lockShare(share))
        if (found === undefined) return
        const said = [reason, message, email]
        if ((await rowCount(tx, repeat(share, reporter, ...said))) > 0) return
        await tx.query(add(share, found.owner_id, ...said, reporter, reportsPerShareMax))
      }),

    async list(filter) {
      const { rows } = await query<Report>(pool, listStatement(filter))
      return pageOf(rows, filter.itemsMax)
    },

    resolve: (id, decision) =>
      transaction(pool, async (tx) => {
        const resolved = (await rowCount(tx, resolve(id, decision.reason))) > 0
        const report = await firstRow<Report>(tx, findOne(id))
        if (report === undefined || !resolved) return report ?? null
        const { ownerId: accountId, shareId: share, reason } = report
        const subject = { kind: 'report', id } as const
        await recordEntry(
          tx,
          'audit_delivery',
          { action: 'report.resolved', subject, accountId, detail: { share, reason } },
          decision,
        )
        return report
      }),

    deleteOld: (limit) => rowCount(pool, deleteOld(limit, reportDays.resolved, reportDays.open)),
  }
}
