import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type { AuditEntryDraft, OperatorDecision } from '../core/audit-entry.js'

/** The log itself, in identity, and the entries of another service that are on their way there. */
export type AuditTable = 'operator_act' | 'audit_delivery'

/**
 * The SQL of an append-only audit log. Triggers reject every change of an entry, whoever makes it: only the
 * owner of the schema could remove the triggers.
 */
export const createOperatorActs = `
  CREATE TABLE operator_act (
    id text COLLATE "C" PRIMARY KEY DEFAULT replace(gen_random_uuid()::text, '-', ''),
    action text NOT NULL,
    operator_id text COLLATE "C" NOT NULL,
    operator_name text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    reason text NOT NULL,
    message text NOT NULL,
    detail jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
  );
  CREATE INDEX operator_act_newest ON operator_act (created_at DESC, id DESC);
  CREATE INDEX operator_act_of_account ON operator_act (account_id, created_at DESC, id DESC);
  CREATE INDEX operator_act_of_subject ON operator_act (subject_id, created_at DESC, id DESC);

  CREATE FUNCTION refuse_changed_acts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'recorded acts cannot be changed' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER operator_act_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_act
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_acts()`

/** The columns that a service chooses; the table adds id and time. */
const draftColumns = `
  action, operator_id, operator_name, subject_kind, subject_id, account_id, reason, message, detail`

/** The columns of an entry. */
export const entryColumns = `id, ${draftColumns.trim()}, created_at`

/** Selects an `AuditEntry` from a row of a table. */
export const entryOf = (row: AuditTable): string => `
  ${row}.id, ${row}.action, ${row}.operator_id AS "operatorId", ${row}.operator_name AS "operatorName",
  jsonb_build_object('kind', ${row}.subject_kind, 'id', ${row}.subject_id) AS subject, ${row}.account_id AS "accountId",
  ${row}.reason, ${row}.message, ${row}.detail, ${row}.created_at AS "createdAt"`

/** Records an entry in the transaction of its change; returns its id. */
export async function recordEntry(
  tx: Session,
  table: AuditTable,
  { action, subject, accountId, detail }: AuditEntryDraft,
  { operatorId, operatorName, reason, message }: OperatorDecision,
): Promise<string> {
  const text = `
    INSERT INTO ${table} (${draftColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) RETURNING ${table}.id`
  const about = [subject.kind, subject.id, accountId, reason, message, JSON.stringify(detail)]
  const add = statement(`audit-record-in-${table}`)(text)
  const row = await firstRow<{ id: string }>(tx, add(action, operatorId, operatorName, ...about))
  if (row === undefined) throw new Error('the database returned no entry')
  return row.id
}
