import type { Migration } from '#libs/postgres/migrate.js'

const tables = `
  CREATE TABLE owner (
    owner_id text COLLATE "C" PRIMARY KEY,
    snippet_count bigint NOT NULL DEFAULT 0 CHECK (snippet_count >= 0),
    share_count bigint NOT NULL DEFAULT 0 CHECK (share_count >= 0)
  );

  CREATE TABLE document (
    id text COLLATE "C" PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    size_bytes bigint,
    sha256 bytea,
    state text NOT NULL DEFAULT 'writing' CHECK (state IN ('writing', 'stored', 'compared', 'condemned')),
    created_at timestamptz NOT NULL DEFAULT now(),
    unclaimed_since timestamptz DEFAULT now(),
    CHECK (unclaimed_since IS NOT NULL OR state = 'stored'),
    CHECK (state NOT IN ('stored', 'compared') OR (size_bytes IS NOT NULL AND sha256 IS NOT NULL))
  );
  CREATE INDEX document_unclaimed ON document (unclaimed_since) WHERE unclaimed_since IS NOT NULL;

  CREATE TABLE document_chunk (
    document_id text COLLATE "C" NOT NULL REFERENCES document (id),
    seq integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (document_id, seq)
  );

  CREATE TABLE snippet (
    owner_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    title text NOT NULL,
    tags text[] NOT NULL,
    words text[] NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    data bytea,
    document_id text COLLATE "C",
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, id),
    CHECK ((data IS NULL) <> (document_id IS NULL))
  );
  CREATE INDEX snippet_id ON snippet (id);
  CREATE INDEX snippet_newest ON snippet (owner_id, created_at DESC, id DESC);
  CREATE INDEX snippet_newest_of_tool ON snippet (owner_id, tool, created_at DESC, id DESC);
  CREATE INDEX snippet_terms ON snippet USING gin (tags, words);

  CREATE TABLE share (
    id text COLLATE "C" PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    title text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    data bytea,
    document_id text COLLATE "C",
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    purged_at timestamptz,
    CHECK (purged_at IS NOT NULL OR (data IS NULL) <> (document_id IS NULL))
  );
  CREATE INDEX share_newest ON share (owner_id, created_at DESC, id DESC);
  CREATE INDEX share_newest_of_tool ON share (owner_id, tool, created_at DESC, id DESC);
  CREATE INDEX share_unpurged ON share (expires_at) WHERE purged_at IS NULL AND expires_at IS NOT NULL;
  CREATE INDEX share_unpurged_of_owner ON share (owner_id, expires_at) WHERE purged_at IS NULL AND expires_at IS NOT NULL;

  CREATE TABLE idempotency_key (
    owner_id text COLLATE "C" NOT NULL,
    operation text NOT NULL,
    key text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'done')),
    lease_until timestamptz NOT NULL,
    fingerprint text,
    answer text, -- the response, as JSON; null while it is running
    created_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, operation, key)
  );
  CREATE INDEX idempotency_key_age ON idempotency_key (created_at);`

/** lz4 costs next to nothing, but not every build of Postgres has it. */
const compression = `
  DO $$
  BEGIN
    ALTER TABLE document_chunk ALTER COLUMN bytes SET COMPRESSION lz4;
    ALTER TABLE snippet ALTER COLUMN data SET COMPRESSION lz4;
    ALTER TABLE share ALTER COLUMN data SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
    NULL;
  END $$`

/** All tables of content. */
export const content: Migration = {
  name: '0001-content',
  async up(db) {
    await db.raw(tables)
    await db.raw(compression)
  },
}
