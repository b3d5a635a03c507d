import type { Migration } from '#libs/postgres/migrate.js'

/** Without a foreign key, because tests of the release before empty `api_key` by name; triggers do its work meanwhile. */
const tables = `
  CREATE TABLE IF NOT EXISTS api_key_secret (
    api_key_id text COLLATE "C" NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    digest bytea NOT NULL,
    pepper_version integer NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    created_at timestamptz NOT NULL,
    first_used_at timestamptz,
    last_used_at timestamptz,
    expires_at timestamptz,
    overlap_s integer CHECK (overlap_s >= 0),
    PRIMARY KEY (api_key_id, number),
    CONSTRAINT api_key_secret_digest UNIQUE (digest)
  );
  CREATE INDEX IF NOT EXISTS api_key_secret_end ON api_key_secret (expires_at) WHERE expires_at IS NOT NULL`

/** `api_key.digest` is the secret that processes of the release before know; what they write to it arrives here. */
const triggers = `
  CREATE OR REPLACE FUNCTION keep_api_key_secret() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO api_key_secret (api_key_id, number, digest, pepper_version, prefix, last4, created_at)
      VALUES (NEW.id, 1, NEW.digest, NEW.pepper_version, NEW.prefix, NEW.last4, NEW.created_at)
      ON CONFLICT (api_key_id, number) DO NOTHING;
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE api_key_secret SET digest = NEW.digest, pepper_version = NEW.pepper_version
      WHERE api_key_secret.api_key_id = NEW.id AND api_key_secret.digest = OLD.digest
        AND NOT EXISTS (SELECT FROM api_key_secret AS known WHERE known.digest = NEW.digest);
    ELSIF TG_OP = 'DELETE' THEN
      DELETE FROM api_key_secret WHERE api_key_secret.api_key_id = OLD.id;
    ELSE
      DELETE FROM api_key_secret;
    END IF;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE TRIGGER api_key_kept AFTER INSERT OR DELETE OR UPDATE OF digest ON api_key
    FOR EACH ROW EXECUTE FUNCTION keep_api_key_secret();
  CREATE OR REPLACE TRIGGER api_key_emptied AFTER TRUNCATE ON api_key
    FOR EACH STATEMENT EXECUTE FUNCTION keep_api_key_secret()`

/** The rows are locked, so that a key that changes meanwhile is copied as it is afterwards, or not at all. */
const copy = `
  WITH batch AS (
    SELECT api_key.* FROM api_key WHERE api_key.id > ? ORDER BY api_key.id LIMIT 500 FOR NO KEY UPDATE),
  copied AS (
    INSERT INTO api_key_secret
      (api_key_id, number, digest, pepper_version, prefix, last4, created_at, last_used_at)
    SELECT batch.id, 1, batch.digest, batch.pepper_version, batch.prefix, batch.last4, batch.created_at, batch.last_used_at
    FROM batch ON CONFLICT DO NOTHING)
  SELECT max(batch.id) AS last FROM batch`

/**
 * The secrets of API keys apart from the keys, so that a key can have two of them. May be killed at any point and run
 * again. A later release drops `digest`, `pepper_version`, `prefix` and `last4` of `api_key` and the triggers.
 */
export const apiKeySecrets: Migration = {
  name: '0005-api-key-secrets',
  config: { transaction: false },
  async up(db) {
    await db.raw(tables)
    await db.raw(triggers)
    for (let last: string | null = ''; last !== null; ) {
      const { rows } = (await db.raw(copy, [last])) as { rows: readonly { last: string | null }[] }
      last = rows[0]?.last ?? null
    }
  },
}
