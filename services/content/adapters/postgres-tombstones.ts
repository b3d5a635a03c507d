import { type Pool, query } from '#libs/postgres/pool.js'
import { tombstoneTitleDays } from '../domain/share.js'

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
