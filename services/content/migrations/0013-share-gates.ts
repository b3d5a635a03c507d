import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'

/** Only gated shares use these columns. The previous release finds none of them: their ids are longer. */
const columns = `
  ALTER TABLE share
    ADD COLUMN IF NOT EXISTS gate_password text,
    ADD COLUMN IF NOT EXISTS gate_views_left integer,
    ADD COLUMN IF NOT EXISTS gate_views bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS gate_first_viewed_at timestamptz,
    ADD COLUMN IF NOT EXISTS gate_last_viewed_at timestamptz,
    ADD COLUMN IF NOT EXISTS gate_open_until timestamptz,
    ADD COLUMN IF NOT EXISTS gate_failed_passwords bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS gate_failures timestamptz[] NOT NULL DEFAULT '{}'`

/** Without a foreign key, for the reason of 0010; grants of a deleted share open nothing, and end within minutes. */
const grants = `
  CREATE TABLE IF NOT EXISTS share_grant (
    digest bytea PRIMARY KEY,
    share_id text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX IF NOT EXISTS share_grant_end ON share_grant (expires_at)`

/** For the purge of used-up shares. */
const usedUp = createIndexConcurrently(
  '0013-share-gates',
  'share_used_up',
  'share (gate_open_until) WHERE gate_views_left = 0 AND purged_at IS NULL',
)

/** What stands between the link of a share and its data, and the grants that open it. May be killed and run again. */
export const shareGates: Migration = {
  name: '0013-share-gates',
  config: { transaction: false },
  async up(db) {
    await db.raw(columns)
    await db.raw(grants)
    await usedUp.up(db)
  },
}
