import type { Migration } from '#libs/postgres/migrate.js'

/**
 * Rules by which CI jobs act for accounts, the tokens that they were given, and the assertions that they used up. No key
 * refers to `account`: the release before empties that table in its tests, which Postgres refuses where one does.
 */
export const trustedPublishers: Migration = {
  name: '0008-trusted-publishers',
  async up(db) {
    await db.raw(`
      CREATE TABLE trusted_publisher (
        id text COLLATE "C" PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        issuer text COLLATE "C" NOT NULL,
        provider text NOT NULL CHECK (provider IN ('github', 'gitlab', 'other')),
        repository text NOT NULL,
        claims jsonb NOT NULL,
        events text[] NOT NULL,
        scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write']),
        ttl_seconds integer NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        request_count bigint NOT NULL DEFAULT 0,
        disabled_at timestamptz
      );
      CREATE INDEX trusted_publisher_of_account ON trusted_publisher (account_id, created_at DESC, id DESC);

      CREATE TABLE exchanged_token (
        digest bytea PRIMARY KEY,
        publisher_id text COLLATE "C" NOT NULL REFERENCES trusted_publisher (id) ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX exchanged_token_of_publisher ON exchanged_token (publisher_id);
      CREATE INDEX exchanged_token_age ON exchanged_token (expires_at);

      CREATE TABLE used_assertion (
        issuer text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (issuer, digest)
      );
      CREATE INDEX used_assertion_age ON used_assertion (expires_at);

      CREATE TABLE trusted_publisher_event (
        id text COLLATE "C" PRIMARY KEY,
        publisher_id text COLLATE "C" NOT NULL REFERENCES trusted_publisher (id) ON DELETE CASCADE,
        at timestamptz NOT NULL,
        reason text,
        claim text,
        shown jsonb NOT NULL,
        of_repository boolean NOT NULL,
        pin jsonb NOT NULL
      );
      CREATE INDEX trusted_publisher_event_of_publisher
        ON trusted_publisher_event (publisher_id, of_repository, at DESC, id DESC)`)
  },
}
