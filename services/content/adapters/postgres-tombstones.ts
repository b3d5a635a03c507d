import { type Pool, query } from '#libs/postgres/pool.js'
import { transaction } from '#libs/postgres/transaction.js'
import { tombstoneTitleDays } from '../domain/share.js'
import { deliveryColumns } from './postgres-event-outbox.js'

/** Adds the event that `shareExpired` describes. */
const purge = `
  WITH due AS (
    SELECT share.id, share.owner_id, share.document_id, share.title, share.expires_at FROM share
    WHERE share.purged_at IS NULL AND share.expires_at <= now()
    ORDER BY share.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  purged AS (
    UPDATE share SET data = NULL, document_id = NULL, purged_at = now() FROM due WHERE share.id = due.id),
  released AS (
    UPDATE document SET unclaimed_since = now() FROM due WHERE document.id = due.document_id),
  counted AS (
    UPDATE owner SET share_count = owner.share_count - gone.shares
    FROM (SELECT due.owner_id, count(*) AS shares FROM due GROUP BY due.owner_id) AS gone
    WHERE owner.owner_id = gone.owner_id),
  told AS (
    INSERT INTO event_delivery (${deliveryColumns})
    SELECT due.owner_id, due.id || '-expired', 'share.expired', 'system', NULL, 'share', due.id,
      jsonb_build_object('title', due.title, 'views', coalesce(share_view.views, 0)), due.expires_at
    FROM due LEFT JOIN share_view ON share_view.share_id = due.id
    ON CONFLICT (owner_id, id) DO NOTHING),
  uncounted AS (DELETE FROM share_view USING due WHERE share_view.share_id = due.id)
  SELECT count(*)::int AS purged FROM due`

const forget = `
  WITH old AS (
    SELECT share.id FROM share
    WHERE share.purged_at IS NOT NULL AND share.title <> '' AND share.expires_at <= now() - $2 * interval '1 day'
    ORDER BY share.expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE share SET title = '' FROM old WHERE share.id = old.id`

/** Clears the titles of up to `limit` old tombstones; returns how many. */
export async function forgetTitles(pool: Pool, limit: number): Promise<number> {
  const values = [limit, tombstoneTitleDays]
  return (await query(pool, { name: 'share-forget-titles', text: forget, values })).rowCount ?? 0
}

/** Purges up to `limit` expired shares; returns how many. */
export function purgeExpired(pool: Pool, limit: number): Promise<number> {
  return transaction(pool, async (tx) => {
    const { rows } = await tx.query<{ purged: number }>({
      name: 'share-purge',
      text: purge,
      values: [limit],
    })
    return rows[0]?.purged ?? 0
  })
}
