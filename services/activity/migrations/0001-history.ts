import { createIdempotencyTable } from '#libs/postgres/idempotency.js'
import type { Migration } from '#libs/postgres/migrate.js'

export const history: Migration = {
  name: '0001-history',
  async up(db) {
    await db.raw(`
      CREATE TABLE owner (
        owner_id text COLLATE "C" PRIMARY KEY,
        plan text NOT NULL CHECK (plan IN ('free', 'pro')),
        plan_version bigint NOT NULL,
        entry_count bigint NOT NULL DEFAULT 0 CHECK (entry_count >= 0),
        newest_at timestamptz,
        lapsed_at timestamptz
      );
      CREATE INDEX owner_lapsed ON owner (lapsed_at) WHERE lapsed_at IS NOT NULL;

      CREATE TABLE entry (
        owner_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        tool text COLLATE "C" NOT NULL,
        action text,
        title text,
        metadata text,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (owner_id, id)
      );
      CREATE INDEX entry_id ON entry (id);
      CREATE INDEX entry_newest ON entry (owner_id, created_at DESC, id DESC);
      CREATE INDEX entry_newest_of_tool ON entry (owner_id, tool, created_at DESC, id DESC);

      ${createIdempotencyTable('owner_id')}`)
  },
}
