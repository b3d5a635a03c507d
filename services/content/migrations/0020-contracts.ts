import type { Migration } from '#libs/postgres/migrate.js'
import { vacuumSooner } from '#libs/postgres/vacuum-sooner.js'

/**
 * `schema_of` is the snippet that the rules name as their schema: its id, or `@` and its name. It may not exist.
 * A contract that was deleted stays as a row without rules until its snippet is deleted: the next one has the next
 * version, so that no candidate is taken for one that the new contract judged.
 */
const contracts = `
  CREATE TABLE IF NOT EXISTS snippet_contract (
    owner_id text COLLATE "C" NOT NULL,
    snippet_id text COLLATE "C" NOT NULL,
    rules text,
    schema_of text COLLATE "C",
    version integer NOT NULL,
    principal text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, snippet_id)
  );
  CREATE INDEX IF NOT EXISTS snippet_contract_schema ON snippet_contract (owner_id, schema_of)
    WHERE schema_of IS NOT NULL`

/** `subject` is the id of the snippet, or `@` and the name that no snippet had. */
const checks = `
  CREATE TABLE IF NOT EXISTS snippet_check (
    id text COLLATE "C" PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    name text COLLATE "C",
    state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'accepted', 'approved', 'rejected', 'expired')),
    verdict text COLLATE "C" NOT NULL CHECK (verdict IN ('same', 'allowed', 'breaks', 'new')),
    judged_as text COLLATE "C" NOT NULL,
    break_count bigint NOT NULL,
    allowed_count bigint NOT NULL,
    breaks text NOT NULL,
    truncated boolean NOT NULL,
    baseline_version integer NOT NULL,
    contract_version integer NOT NULL,
    tool text COLLATE "C" NOT NULL,
    title text NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    data bytea,
    document_id text COLLATE "C",
    principal text,
    source text,
    created_at timestamptz NOT NULL,
    version integer,
    decided_at timestamptz,
    decided_by text,
    note text,
    CHECK ((state = 'pending') = ((data IS NULL) <> (document_id IS NULL))),
    CHECK (state = 'pending' OR (data IS NULL AND document_id IS NULL))
  );
  CREATE INDEX IF NOT EXISTS snippet_check_newest ON snippet_check (owner_id, subject, created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS snippet_check_newest_of_state
    ON snippet_check (owner_id, subject, state, created_at DESC, id DESC);
  CREATE INDEX IF NOT EXISTS snippet_check_pending ON snippet_check (owner_id, created_at DESC, id DESC)
    WHERE state = 'pending';
  CREATE INDEX IF NOT EXISTS snippet_check_due ON snippet_check (created_at) WHERE state = 'pending';
  CREATE INDEX IF NOT EXISTS snippet_check_age ON snippet_check (created_at)`

/**
 * A check counts for its breaks until it is deleted, and for inline data while it has it. Breaks never change. One
 * statement counts once for each owner, in the order of owners: two sweeps never wait for each other.
 */
const countChecks = (change: 'added' | 'removed', sign: '' | '-'): string => `
  CREATE OR REPLACE FUNCTION count_${change}_checks() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO owner (owner_id, stored_bytes)
    SELECT counted.owner_id, ${sign}counted.bytes FROM (
      SELECT one.owner_id,
        sum(octet_length(one.breaks) + CASE WHEN one.data IS NULL THEN 0 ELSE one.size_bytes END) AS bytes
      FROM ${change} AS one GROUP BY one.owner_id) AS counted
    WHERE counted.bytes <> 0 ORDER BY counted.owner_id
    ON CONFLICT (owner_id) DO UPDATE SET stored_bytes = owner.stored_bytes + EXCLUDED.stored_bytes;
    RETURN NULL;
  END $$`

/** lz4 costs next to nothing, but not every build of Postgres has it. */
const compression = `
  DO $$
  BEGIN
    ALTER TABLE snippet_check ALTER COLUMN data SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
    NULL;
  END $$`

/**
 * Whoever deletes a snippet deletes its contract and checks: the previous release knows nothing of them. A candidate's
 * document belongs to it alone, until the statement that makes it a version's takes it away.
 */
const functions = `
  CREATE OR REPLACE FUNCTION remove_checks() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    DELETE FROM snippet_contract
    WHERE snippet_contract.owner_id = OLD.owner_id AND snippet_contract.snippet_id = OLD.id;
    DELETE FROM snippet_check WHERE snippet_check.owner_id = OLD.owner_id AND snippet_check.subject = OLD.id;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION release_document_of_check() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    UPDATE document SET unclaimed_since = now()
    WHERE document.id = OLD.document_id AND document.unclaimed_since IS NULL;
    RETURN NULL;
  END $$;`

/** Separate, repeatable statements, each with a short lock on one table. */
const statements = [
  contracts,
  checks,
  compression,
  functions,
  countChecks('added', ''),
  countChecks('removed', '-'),
  `CREATE OR REPLACE TRIGGER snippet_check_added AFTER INSERT ON snippet_check
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_checks()`,
  `CREATE OR REPLACE TRIGGER snippet_check_changed AFTER UPDATE OF data, size_bytes ON snippet_check
    FOR EACH ROW WHEN (OLD.data IS NOT NULL) EXECUTE FUNCTION count_changed_record()`,
  `CREATE OR REPLACE TRIGGER snippet_check_removed AFTER DELETE ON snippet_check
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_checks()`,
  `CREATE OR REPLACE TRIGGER snippet_check_released AFTER DELETE ON snippet_check
    FOR EACH ROW WHEN (OLD.document_id IS NOT NULL) EXECUTE FUNCTION release_document_of_check()`,
  `CREATE OR REPLACE TRIGGER snippet_checks_removed AFTER DELETE ON snippet
    FOR EACH ROW EXECUTE FUNCTION remove_checks()`,
]

/** Contracts of snippets, and the candidates that they judge. */
export const contractsAndChecks: Migration = {
  name: '0020-contracts',
  config: { transaction: false },
  async up(db) {
    for (const statement of statements) await db.raw(statement)
  },
}

/** The tables whose rows come and go. */
export const vacuumChecksSooner = vacuumSooner('0021-vacuum-checks-sooner', ['snippet_check'])
