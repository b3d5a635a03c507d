import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'

/**
 * Triggers maintain the counter, so that it is exact whoever writes: this release, the previous one, or an operator.
 * A snippet or share counts for its inline data, and a document from its completion until it is deleted. Data that
 * was only compared was never stored.
 */
const functions = `
  CREATE OR REPLACE FUNCTION count_stored_bytes(holder text, bytes bigint) RETURNS void LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    IF bytes = 0 THEN RETURN; END IF;
    INSERT INTO owner (owner_id, stored_bytes) VALUES (holder, bytes)
    ON CONFLICT (owner_id) DO UPDATE SET stored_bytes = owner.stored_bytes + EXCLUDED.stored_bytes;
  END $$;

  CREATE OR REPLACE FUNCTION count_added_records() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    INSERT INTO owner (owner_id, stored_bytes)
    SELECT added.owner_id, sum(added.size_bytes) FROM added WHERE added.data IS NOT NULL GROUP BY added.owner_id
    ON CONFLICT (owner_id) DO UPDATE SET stored_bytes = owner.stored_bytes + EXCLUDED.stored_bytes;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION count_changed_record() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    kept bigint := 0;
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      kept := CASE WHEN NEW.data IS NULL THEN 0 ELSE NEW.size_bytes END;
    END IF;
    PERFORM count_stored_bytes(OLD.owner_id, kept - CASE WHEN OLD.data IS NULL THEN 0 ELSE OLD.size_bytes END);
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION count_changed_document() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    kept bigint := 0;
  BEGIN
    IF TG_OP = 'UPDATE' AND NEW.state IN ('stored', 'condemned') THEN
      kept := coalesce(NEW.size_bytes, 0);
    END IF;
    PERFORM count_stored_bytes(OLD.owner_id,
      kept - CASE WHEN OLD.state IN ('stored', 'condemned') THEN coalesce(OLD.size_bytes, 0) ELSE 0 END);
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION forget_compared_size() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.size_bytes := NULL;
    RETURN NEW;
  END $$`

const recordTriggers = (table: string): string => `
  CREATE OR REPLACE TRIGGER ${table}_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
  CREATE OR REPLACE TRIGGER ${table}_changed AFTER UPDATE OF data, size_bytes ON ${table}
    FOR EACH ROW EXECUTE FUNCTION count_changed_record();
  CREATE OR REPLACE TRIGGER ${table}_removed AFTER DELETE ON ${table}
    FOR EACH ROW WHEN (OLD.data IS NOT NULL) EXECUTE FUNCTION count_changed_record()`

const documentTriggers = `
  CREATE OR REPLACE TRIGGER document_compared BEFORE UPDATE OF state ON document
    FOR EACH ROW WHEN (OLD.state = 'compared' AND NEW.state = 'condemned')
    EXECUTE FUNCTION forget_compared_size();
  CREATE OR REPLACE TRIGGER document_changed AFTER UPDATE OF state, size_bytes ON document
    FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state OR OLD.size_bytes IS DISTINCT FROM NEW.size_bytes)
    EXECUTE FUNCTION count_changed_document();
  CREATE OR REPLACE TRIGGER document_removed AFTER DELETE ON document
    FOR EACH ROW WHEN (OLD.state IN ('stored', 'condemned')) EXECUTE FUNCTION count_changed_document()`

/**
 * The bytes of owners that the counter lacks, in one snapshot: the counter contains exactly what triggers
 * have counted of the same rows, so the difference existed before the triggers, however much is written
 * meanwhile.
 */
const uncounted = `
  WITH batch AS MATERIALIZED (
    SELECT owner.owner_id, owner.stored_bytes FROM owner WHERE owner.owner_id > ?
    ORDER BY owner.owner_id LIMIT 500)
  SELECT batch.owner_id,
    coalesce((SELECT sum(snippet.size_bytes) FROM snippet
      WHERE snippet.owner_id = batch.owner_id AND snippet.data IS NOT NULL), 0)
    + coalesce((SELECT sum(share.size_bytes) FROM share
      WHERE share.owner_id = batch.owner_id AND share.data IS NOT NULL), 0)
    + coalesce((SELECT sum(document.size_bytes) FROM document
      WHERE document.owner_id = batch.owner_id AND document.state IN ('stored', 'condemned')), 0)
    - batch.stored_bytes AS bytes
  FROM batch ORDER BY batch.owner_id`

const addUncounted = 'UPDATE owner SET stored_bytes = owner.stored_bytes + ? WHERE owner.owner_id = ?'

const documentsByOwner = createIndexConcurrently('0005-stored-bytes', 'document_owner', 'document (owner_id)')

/** Counts the bytes of each owner. May be killed at any point and run again. */
export const storedBytes: Migration = {
  name: '0005-stored-bytes',
  config: { transaction: false },
  async up(db) {
    await db.raw('ALTER TABLE owner ADD COLUMN IF NOT EXISTS stored_bytes bigint NOT NULL DEFAULT 0')
    await db.raw(functions)
    await documentsByOwner.up(db)
    for (const statement of [recordTriggers('snippet'), recordTriggers('share'), documentTriggers])
      await db.raw(statement)
    await db.raw(
      'INSERT INTO owner (owner_id) SELECT DISTINCT document.owner_id FROM document ON CONFLICT DO NOTHING',
    )
    for (let last = ''; ; ) {
      const { rows } = (await db.raw(uncounted, [last])) as {
        rows: readonly { owner_id: string; bytes: string }[]
      }
      for (const { owner_id: owner, bytes } of rows)
        if (Number(bytes) !== 0) await db.raw(addUncounted, [bytes, owner])
      const next = rows.at(-1)?.owner_id
      if (next === undefined) return
      last = next
    }
  },
}
