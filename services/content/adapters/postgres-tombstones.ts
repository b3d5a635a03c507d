import { firstRow, type Pool, type Prepared, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import { disabledDataDays, tombstoneDays } from '../domain/share.js'
import { deliveryColumns } from './postgres-event-outbox.js'

const dueShare = 'share.id, share.owner_id, share.document_id, share.title'

/**
 * Purges shares, and adds an event for each.
 * @param due selects `dueShare`, `ended_at`, which becomes the expiry, and, with an event, its time `at`.
 */
function purgeOf(name: string, due: string, event?: { readonly type: string; readonly suffix: string }) {
  const queued =
    event &&
    `
  queued AS (
    INSERT INTO event_delivery (${deliveryColumns})
    SELECT due.owner_id, due.id || '${event.suffix}', '${event.type}', 'system', NULL, 'share', due.id,
      jsonb_build_object('title', due.title, 'views', coalesce(share_view.views, 0)), due.at
    FROM due LEFT JOIN share_view ON share_view.share_id = due.id
    ON CONFLICT (owner_id, id) DO NOTHING),`
  return statement(name)(`
  WITH due AS (${due}),
  purged AS (
    UPDATE share SET data = NULL, document_id = NULL, gate_password = NULL, purged_at = now(), expires_at = due.ended_at
    FROM due WHERE share.id = due.id),
  released AS (
    UPDATE document SET unclaimed_since = now() FROM due WHERE document.id = due.document_id),
  counted AS (
    UPDATE owner SET share_count = owner.share_count - gone.shares
    FROM (SELECT due.owner_id, count(*) AS shares FROM due GROUP BY due.owner_id) AS gone
    WHERE owner.owner_id = gone.owner_id),${queued ?? ''}
  uncounted AS (DELETE FROM share_view USING due WHERE share_view.share_id = due.id)
  SELECT count(*)::int AS purged FROM due`)
}

/** Adds the event that `shareExpired` describes. */
const purge = purgeOf(
  'share-purge',
  `SELECT ${dueShare}, share.expires_at AS ended_at, share.expires_at AS at FROM share
    WHERE share.purged_at IS NULL AND share.expires_at <= now()
    ORDER BY share.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
  { type: 'share.expired', suffix: '-expired' },
)

/**
 * A used-up share ends with its last grant, which becomes its expiry: lists, and releases without gates, treat it as
 * expired. Its event was added when it was used up.
 */
const purgeUsed = purgeOf(
  'share-purge-used-up',
  `SELECT ${dueShare}, least(share.gate_open_until, share.expires_at) AS ended_at FROM share
    WHERE share.gate_views_left = 0 AND share.purged_at IS NULL AND share.gate_open_until <= now()
    ORDER BY share.gate_open_until LIMIT $1 FOR UPDATE SKIP LOCKED`,
)

/** Adds the event that `shareDataDeleted` describes. */
const purgeLongDisabled = purgeOf(
  'share-purge-disabled',
  `SELECT ${dueShare}, share.expires_at AS ended_at, date_trunc('milliseconds', now()) AS at
    FROM disabled_share JOIN share ON share.id = disabled_share.share_id
    WHERE NOT disabled_share.data_deleted AND disabled_share.disabled_at <= now() - $2 * interval '1 day'
      AND share.purged_at IS NULL
    ORDER BY disabled_share.disabled_at LIMIT $1 FOR UPDATE OF share SKIP LOCKED`,
  { type: 'share.data_deleted', suffix: '-data-deleted' },
)

/** Also of shares that expired meanwhile. */
const noteDeletedData = statement('share-note-deleted-data')(`
  UPDATE disabled_share SET data_deleted = true FROM share
  WHERE NOT disabled_share.data_deleted AND disabled_share.disabled_at <= now() - $1 * interval '1 day'
    AND share.id = disabled_share.share_id AND share.purged_at IS NOT NULL`)

const removeOld = statement('share-remove-old')(`
  WITH old AS (
    SELECT share.id FROM share
    WHERE share.purged_at IS NOT NULL AND share.expires_at <= now() - $2 * interval '1 day'
    ORDER BY share.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  enabled AS (DELETE FROM disabled_share USING old WHERE disabled_share.share_id = old.id)
  DELETE FROM share USING old WHERE share.id = old.id`)

/** Deletes up to `limit` old tombstones; returns how many. */
export function deleteOldTombstones(pool: Pool, limit: number): Promise<number> {
  return rowCount(pool, removeOld(limit, tombstoneDays))
}

async function purgeBy(tx: Session, due: Prepared): Promise<number> {
  return (await firstRow<{ purged: number }>(tx, due))?.purged ?? 0
}

/** Purges up to `limit` expired shares; returns how many. */
export function purgeExpired(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, (tx) => purgeBy(tx, purge(limit)))
}

/** Purges up to `limit` used-up shares whose last grant has ended; returns how many. */
export function purgeUsedUp(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, (tx) => purgeBy(tx, purgeUsed(limit)))
}

/** Purges up to `limit` shares that were disabled for too long; returns how many. */
export function purgeDisabled(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, async (tx) => {
    const purged = await purgeBy(tx, purgeLongDisabled(limit, disabledDataDays))
    await tx.query(noteDeletedData(disabledDataDays))
    return purged
  })
}
