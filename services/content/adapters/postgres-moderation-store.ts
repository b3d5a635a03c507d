import { firstAs, firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { QueueState } from '#shared/core/audit-entry.js'
import { recordEntry } from '#shared/operator/audit-table.js'
import { shareModerated } from '../domain/content-event.js'
import type { ShareId } from '../domain/ids.js'
import { type ModeratedShare, shareDataDeleted } from '../domain/moderated-share.js'
import type { ModerationStore } from '../moderation-ports.js'
import { addDelivery, outboxStates } from './postgres-event-outbox.js'
import { type GatedRow, gatedColumns, ownerSuspended, restoreOne } from './postgres-share-rows.js'
import { purgeDisabled } from './postgres-tombstones.js'

const find = statement('moderation-find')(`
  SELECT ${gatedColumns}, coalesce(share.expires_at <= now(), false) AS expired,
    ${ownerSuspended} AS owner_suspended,
    coalesce((SELECT share_view.views FROM share_view WHERE share_view.share_id = share.id), 0)::float8 AS views,
    (SELECT count(*) FROM share_report
      WHERE share_report.share_id = share.id AND share_report.resolved_at IS NULL)::int AS open_reports,
    date_trunc('milliseconds', clock_timestamp()) AS now
  FROM share WHERE share.id = $1`)

const lock = statement('moderation-lock')('SELECT share.id FROM share WHERE share.id = $1 FOR NO KEY UPDATE')
const disable = statement('moderation-disable')(`
  INSERT INTO disabled_share (share_id, data_deleted) VALUES ($1, $2)`)
const enable = statement('moderation-enable')('DELETE FROM disabled_share WHERE disabled_share.share_id = $1')

const suspend = statement('moderation-suspend')(`
  INSERT INTO owner (owner_id, suspended_at, suspension_version) VALUES ($1, CASE WHEN $2 THEN now() END, $3)
  ON CONFLICT (owner_id) DO UPDATE SET suspended_at = excluded.suspended_at,
    suspension_version = excluded.suspension_version
  WHERE owner.suspension_version < excluded.suspension_version`)

const queues = statement('moderation-queues')(outboxStates('events'))

type ModeratedRow = GatedRow & {
  readonly expired: boolean
  readonly owner_suspended: boolean
  readonly views: number
  readonly open_reports: number
  readonly now: Date
}

function restore(row: ModeratedRow): ModeratedShare {
  return {
    share: restoreOne(row),
    expired: row.expired,
    hasData: row.purged_at === null,
    ownerSuspended: row.owner_suspended,
    views: row.views,
    openReports: row.open_reports,
  }
}

async function load(tx: Session, id: ShareId): Promise<ModeratedRow | null> {
  return (await firstRow<ModeratedRow>(tx, find(id))) ?? null
}

/** What operators see of shares and do to them, in Postgres. */
export function postgresModerationStore(pool: Pool): ModerationStore {
  return {
    find: (id) => firstAs(pool, find(id), restore),

    setDisabled: (id, disabled, decision) =>
      transaction(pool, async (tx) => {
        // Locked by a statement of its own, so that the next one sees what others did before.
        await tx.query(lock(id))
        const row = await load(tx, id)
        if (row === null || (row.disabled_at !== null) === disabled) return row === null ? null : restore(row)
        const purged = row.purged_at !== null
        if (!disabled && purged && !row.expired) throw shareDataDeleted()
        if (disabled) await tx.query(disable(id, purged))
        else await tx.query(enable(id))
        const share = restoreOne(row)
        const subject = { kind: 'share', id } as const
        const action = disabled ? 'share.disabled' : 'share.enabled'
        const detail = { title: share.title }
        const draft = { action, subject, accountId: share.ownerId, detail }
        const entryId = await recordEntry(tx, 'audit_delivery', draft, decision)
        await addDelivery(tx, shareModerated(share, disabled, entryId, decision, row.now))
        const changed = await load(tx, id)
        return changed === null ? null : restore(changed)
      }),

    async setSuspended(owner, suspended, version) {
      await query(pool, suspend(owner, suspended, version))
    },

    purgeDisabled: (limit) => purgeDisabled(pool, limit),

    queues: async () => (await query<QueueState>(pool, queues())).rows,
  }
}
