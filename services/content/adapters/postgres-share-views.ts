import { firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { ShareStore } from '../ports.js'
import { deliveryColumns } from './postgres-event-outbox.js'

/**
 * Shares are locked in the order of their ids, and against deletion and purges, so that no count outlives its
 * share.
 */
const add = statement('share-views-add')(`
  WITH live AS MATERIALIZED (
    SELECT share.id, one.views FROM share
      JOIN (SELECT given.id, sum(given.views)::bigint AS views
        FROM unnest($1::text[], $2::bigint[]) AS given (id, views) GROUP BY given.id) AS one ON one.id = share.id
    WHERE share.purged_at IS NULL ORDER BY share.id FOR KEY SHARE OF share)
  INSERT INTO share_view (share_id, views) SELECT live.id, live.views FROM live ORDER BY live.id
  ON CONFLICT (share_id) DO UPDATE SET views = share_view.views + excluded.views`)

/** Adds `shareViewed` events for all shares with new views whose hour is over. */
const queueEvents = statement('share-views-tell')(`
  WITH due AS MATERIALIZED (
    SELECT share_view.share_id, share_view.views, share_view.told FROM share_view
    WHERE share_view.views > share_view.told AND share_view.due_at <= now()
    ORDER BY share_view.due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
  noted AS (
    UPDATE share_view SET told = due.views, due_at = now() + interval '1 hour'
    FROM due WHERE share_view.share_id = due.share_id),
  added AS (
    INSERT INTO event_delivery (${deliveryColumns})
    SELECT share.owner_id, share.id || '-views-' || due.views, 'share.viewed', 'anyone', NULL, 'share', share.id,
      jsonb_build_object('title', share.title, 'views', due.views - due.told, 'total', due.views),
      date_trunc('milliseconds', now())
    FROM due JOIN share ON share.id = due.share_id
    ON CONFLICT (owner_id, id) DO NOTHING)
  SELECT count(*)::int AS queued FROM due`)

/** Counts views in Postgres. */
export function postgresShareViews(pool: Pool): Pick<ShareStore, 'addViews' | 'queueViewEvents'> {
  return {
    async addViews(all) {
      const [ids, views] = [all.map(({ id }) => id), all.map((one) => one.views)]
      await query(pool, add(ids, views))
    },
    queueViewEvents: async (limit) =>
      (await firstRow<{ queued: number }>(pool, queueEvents(limit)))?.queued ?? 0,
  }
}
