import { goneState } from '#libs/postgres/errors.js'
import { rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { AuditTable } from '../operator/audit-table.js'

/** The digest by which an erased account is recognised in a restored backup: its id is random, so nobody can guess it. */
const digestOf = (id: string): string => `sha256(convert_to(${id}, 'UTF8'))`

/**
 * The SQL of the digests of erased accounts. Audit entries stay, but may be changed in one way: to what is left of
 * an erased account, its digest.
 */
export const createErasureLedger = `
  CREATE TABLE erasure_ledger (
    account_digest bytea PRIMARY KEY,
    erased_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
  );`

/** Set to `on` in a transaction that erases an account. */
const setting = 'snipkeep.erasing'

/** The SQL for audit logs: the statement must announce itself, and each row may change in one way. */
export const letActsBeErased = `
  CREATE OR REPLACE FUNCTION refuse_changed_acts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('${setting}', true) = 'on' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'recorded acts cannot be changed' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE FUNCTION refuse_other_than_erasure() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  DECLARE
    rest operator_act := OLD;
  BEGIN
    IF EXISTS (SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = ${digestOf('OLD.account_id')}) THEN
      rest.account_id := encode(${digestOf('OLD.account_id')}, 'hex');
      IF OLD.subject_kind = 'account' THEN rest.subject_id := rest.account_id; END IF;
      rest.message := '';
      rest.detail := '{}';
    END IF;
    IF EXISTS (SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = ${digestOf('OLD.operator_id')}) THEN
      rest.operator_id := encode(${digestOf('OLD.operator_id')}, 'hex');
      rest.operator_name := '';
    END IF;
    IF NEW = rest THEN RETURN NEW; END IF;
    RAISE EXCEPTION 'recorded acts cannot be changed' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER operator_act_erased BEFORE UPDATE ON operator_act
    FOR EACH ROW EXECUTE FUNCTION refuse_other_than_erasure();`

/**
 * The SQL of a trigger that keeps erased accounts out of a table whose row every write for an account needs, so that a
 * delayed write cannot bring one back. It fires only for new rows, not for each write.
 */
export function rejectErasedOwners(table: string, column: string): string {
  return `
  CREATE FUNCTION refuse_erased_account() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    IF EXISTS (SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = ${digestOf(`NEW.${column}`)}) THEN
      RAISE EXCEPTION 'the account was erased' USING ERRCODE = '${goneState}';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER ${table}_not_erased AFTER INSERT ON ${table}
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_account();`
}

const find = statement('erasure-find')(`
  SELECT FROM erasure_ledger WHERE erasure_ledger.account_digest = ${digestOf('$1::text')}`)

const add = statement('erasure-note')(`
  INSERT INTO erasure_ledger (account_digest) VALUES (${digestOf('$1::text')}) ON CONFLICT DO NOTHING`)

const eraseFrom = (table: AuditTable) =>
  statement(`erasure-of-${table}`)(`
  UPDATE ${table} SET
    account_id = CASE WHEN mine.it THEN erased.digest ELSE ${table}.account_id END,
    subject_id = CASE WHEN mine.it AND ${table}.subject_kind = 'account' THEN erased.digest
      ELSE ${table}.subject_id END,
    message = CASE WHEN mine.it THEN '' ELSE ${table}.message END,
    detail = CASE WHEN mine.it THEN '{}'::jsonb ELSE ${table}.detail END,
    operator_id = CASE WHEN entry.operator_id = $1 THEN erased.digest ELSE ${table}.operator_id END,
    operator_name = CASE WHEN entry.operator_id = $1 THEN '' ELSE ${table}.operator_name END
  FROM ${table} AS entry, LATERAL (SELECT entry.account_id = $1 AS it) AS mine,
    (SELECT encode(${digestOf('$1::text')}, 'hex') AS digest) AS erased
  WHERE ${table}.id = entry.id AND (entry.account_id = $1 OR entry.operator_id = $1)`)

/** Whether an account was erased. */
export async function isErased(tx: Session, accountId: string): Promise<boolean> {
  return (await rowCount(tx, find(accountId))) === 1
}

/** Notes an account as erased. */
export async function noteErased(tx: Session, accountId: string): Promise<void> {
  await tx.query(add(accountId))
}

/**
 * Replaces an erased account in audit entries by its digest, and removes what they told its owner and the titles of its
 * shares. What operators did, when and why stays.
 * @param tables the service's own log, and its outbox if it has one.
 */
export async function eraseFromAuditEntries(
  tx: Session,
  accountId: string,
  tables: readonly AuditTable[],
): Promise<void> {
  const announce = (value: string) => tx.query(`SET LOCAL ${setting} = '${value}'`)
  await announce('on')
  for (const table of tables) await tx.query(eraseFrom(table)(accountId))
  await announce('off')
}
