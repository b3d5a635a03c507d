import type { Migration } from '#libs/postgres/migrate.js'

/**
 * What happened in accounts. Without a foreign key, because tests of the release before empty `account` by name; the
 * cleaner removes the events of accounts that are gone.
 */
export const events: Migration = {
  name: '0006-events',
  async up(db) {
    await db.raw(`
      CREATE TABLE event (
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
        type text COLLATE "C" NOT NULL,
        principal_kind text NOT NULL,
        principal_id text,
        subject_kind text NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        detail jsonb NOT NULL CHECK (octet_length(detail::text) <= 2048),
        created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
        PRIMARY KEY (account_id, id)
      );
      CREATE INDEX event_newest ON event (account_id, created_at DESC, id DESC);
      CREATE INDEX event_age ON event (created_at)`)
  },
}
