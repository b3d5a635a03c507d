import type { Migration } from '#libs/postgres/migrate.js'

/** API keys by their keyed hashes, their daily usage, and idempotency keys. */
export const apiKeys: Migration = {
  name: '0002-api-keys',
  async up(db) {
    await db.raw(`
      CREATE TABLE api_key (
        id text COLLATE "C" PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL REFERENCES account (id),
        name text NOT NULL,
        digest bytea NOT NULL,
        pepper_version integer NOT NULL,
        prefix text NOT NULL,
        last4 text NOT NULL,
        scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write']),
        created_at timestamptz NOT NULL,
        expires_at timestamptz,
        last_used_at timestamptz,
        request_count bigint NOT NULL DEFAULT 0,
        CONSTRAINT api_key_digest UNIQUE (digest)
      );
      CREATE INDEX api_key_of_account ON api_key (account_id, created_at DESC, id DESC);

      CREATE TABLE api_key_usage (
        api_key_id text COLLATE "C" NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
        date date NOT NULL,
        requests bigint NOT NULL,
        errors bigint NOT NULL,
        PRIMARY KEY (api_key_id, date)
      );

      CREATE TABLE usage_batch (
        id text COLLATE "C" PRIMARY KEY,
        applied_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX usage_batch_age ON usage_batch (applied_at);

      CREATE TABLE idempotency_key (
        account_id text COLLATE "C" NOT NULL,
        digest bytea NOT NULL,
        fingerprint text NOT NULL,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, digest)
      );
      CREATE INDEX idempotency_key_age ON idempotency_key (created_at)`)
  },
}
