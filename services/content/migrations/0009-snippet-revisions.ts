import type { Migration } from '#libs/postgres/migrate.js'

const table = `
  CREATE TABLE IF NOT EXISTS snippet_revision (
    owner_id text COLLATE "C" NOT NULL,
    snippet_id text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    tool text COLLATE "C" NOT NULL,
    title text NOT NULL,
    tags text[] NOT NULL,
    size_bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    data bytea,
    document_id text COLLATE "C",
    principal text,
    created_at timestamptz NOT NULL,
    replaced_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, snippet_id, version),
    CHECK ((data IS NULL) <> (document_id IS NULL))
  );
  CREATE INDEX IF NOT EXISTS snippet_revision_document ON snippet_revision (document_id)
    WHERE document_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS snippet_revision_age ON snippet_revision (replaced_at)`

/** lz4 costs next to nothing, but not every build of Postgres has it. */
const compression = `
  DO $$
  BEGIN
    ALTER TABLE snippet_revision ALTER COLUMN data SET COMPRESSION lz4;
  EXCEPTION WHEN feature_not_supported OR invalid_parameter_value THEN
    NULL;
  END $$`

/**
 * A document may be named by several revisions of a snippet, and by the snippet itself, after a restore. Triggers
 * release it with the last of them, whoever writes: the previous release knows nothing of revisions.
 */
const functions = `
  CREATE OR REPLACE FUNCTION remove_revisions() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    DELETE FROM snippet_revision
    WHERE snippet_revision.owner_id = OLD.owner_id AND snippet_revision.snippet_id = OLD.id;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION release_document_of_revision() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    UPDATE document SET unclaimed_since = now()
    WHERE document.id = OLD.document_id AND document.unclaimed_since IS NULL
      AND NOT EXISTS (SELECT FROM snippet WHERE snippet.owner_id = OLD.owner_id
        AND snippet.id = OLD.snippet_id AND snippet.document_id = OLD.document_id);
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION keep_document_of_revision() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    IF EXISTS (SELECT FROM snippet_revision WHERE snippet_revision.document_id = NEW.id) THEN
      NEW.unclaimed_since := NULL;
    END IF;
    RETURN NEW;
  END $$`

/** Separate, repeatable statements, each with a short lock on one table. The triggers that count are those of 0005. */
const statements = [
  table,
  compression,
  'ALTER TABLE snippet ADD COLUMN IF NOT EXISTS principal text',
  'ALTER TABLE snippet ADD COLUMN IF NOT EXISTS principal_version integer NOT NULL DEFAULT 1',
  functions,
  `CREATE OR REPLACE TRIGGER snippet_revision_added AFTER INSERT ON snippet_revision
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records()`,
  `CREATE OR REPLACE TRIGGER snippet_revision_removed AFTER DELETE ON snippet_revision
    FOR EACH ROW WHEN (OLD.data IS NOT NULL) EXECUTE FUNCTION count_changed_record()`,
  `CREATE OR REPLACE TRIGGER snippet_revision_released AFTER DELETE ON snippet_revision
    FOR EACH ROW WHEN (OLD.document_id IS NOT NULL) EXECUTE FUNCTION release_document_of_revision()`,
  `CREATE OR REPLACE TRIGGER snippet_revisions_removed AFTER DELETE ON snippet
    FOR EACH ROW EXECUTE FUNCTION remove_revisions()`,
  `CREATE OR REPLACE TRIGGER document_kept BEFORE UPDATE OF unclaimed_since ON document
    FOR EACH ROW WHEN (OLD.unclaimed_since IS NULL AND NEW.unclaimed_since IS NOT NULL)
    EXECUTE FUNCTION keep_document_of_revision()`,
]

/** Replaced versions of snippets, and who made each. */
export const snippetRevisions: Migration = {
  name: '0009-snippet-revisions',
  config: { transaction: false },
  async up(db) {
    for (const statement of statements) await db.raw(statement)
  },
}
