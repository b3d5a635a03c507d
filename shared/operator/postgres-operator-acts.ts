import { type Pool, query } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import type {
  OperatorAct,
  OperatorActDraft,
  OperatorActFilter,
  OperatorActPage,
  OperatorDecision,
} from '../core/operator-act.js'

/**
 * The SQL of an append-only table of acts. Triggers reject every change of a recorded act, whoever makes it: only the
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

const record = `
  INSERT INTO operator_act (action, operator_id, operator_name, subject_kind, subject_id, account_id, reason, message,
    detail)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb) RETURNING operator_act.id`

interface ActRow {
  readonly id: string
  readonly action: string
  readonly operator_id: string
  readonly operator_name: string
  readonly subject_kind: OperatorAct['subject']['kind']
  readonly subject_id: string
  readonly account_id: string
  readonly reason: string
  readonly message: string
  readonly detail: OperatorAct['detail']
  readonly created_at: Date
}

function restore(row: ActRow): OperatorAct {
  return {
    id: row.id,
    action: row.action,
    operatorId: row.operator_id,
    operatorName: row.operator_name,
    subject: { kind: row.subject_kind, id: row.subject_id },
    accountId: row.account_id,
    reason: row.reason,
    message: row.message,
    detail: row.detail,
    createdAt: row.created_at,
  }
}

/** Records an act in the transaction of its change; returns its id. */
export async function recordAct(
  tx: Session,
  { action, subject, accountId, detail }: OperatorActDraft,
  { operatorId, operatorName, reason, message }: OperatorDecision,
): Promise<string> {
  const about = [subject.kind, subject.id, accountId, reason, message, JSON.stringify(detail)]
  const values = [action, operatorId, operatorName, ...about]
  const { rows } = await tx.query<{ id: string }>({ name: 'operator-act-record', text: record, values })
  if (rows[0] === undefined) throw new Error('the database returned no act')
  return rows[0].id
}

/** A page of acts, newest first. */
export async function listActs(
  pool: Pool,
  { accountId, subjectId, after, itemsMax }: OperatorActFilter,
): Promise<OperatorActPage> {
  const values: unknown[] = [itemsMax + 1]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = ['true']
  if (accountId !== null) conditions.push(`operator_act.account_id = ${parameter(accountId)}`)
  if (subjectId !== null) conditions.push(`operator_act.subject_id = ${parameter(subjectId)}`)
  if (after !== null) {
    const place = `(${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)}::text)`
    conditions.push(`(operator_act.created_at, operator_act.id) < ${place}`)
  }
  const text = `
    SELECT operator_act.* FROM operator_act WHERE ${conditions.join(' AND ')}
    ORDER BY operator_act.created_at DESC, operator_act.id DESC LIMIT $1`
  const { rows } = await query<ActRow>(pool, { text, values })
  const items = rows.slice(0, itemsMax).map(restore)
  const last = items.at(-1)
  const more = last !== undefined && rows.length > items.length
  return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null }
}
