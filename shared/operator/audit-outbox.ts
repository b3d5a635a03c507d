import { leasedQueue } from '#libs/postgres/leased-queue.js'
import type { Pool } from '#libs/postgres/pool.js'
import type { AuditEntry, AuditOutbox } from '../core/audit-entry.js'
import { entryColumns, entryOf } from './audit-table.js'

const columnsOf = (row: string): string =>
  entryColumns
    .split(',')
    .map((column) => `${row}.${column.trim()}`)
    .join(', ')

/**
 * The SQL of entries on their way to identity's log. Everything in the service's own log, which the previous release
 * still writes, is on its way, too: what is there, what is added, and that an erasure changed it.
 */
export const createAuditOutbox = `
  CREATE TABLE audit_delivery (
    LIKE operator_act INCLUDING DEFAULTS,
    queued_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (id)
  );
  CREATE INDEX audit_delivery_due ON audit_delivery (due_at);

  CREATE FUNCTION deliver_operator_act() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO audit_delivery (${entryColumns}) VALUES (${columnsOf('NEW')});
    ELSE
      UPDATE audit_delivery SET (${entryColumns}) = (${columnsOf('NEW')}) WHERE audit_delivery.id = NEW.id;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER operator_act_delivered AFTER INSERT OR UPDATE ON operator_act
    FOR EACH ROW EXECUTE FUNCTION deliver_operator_act();
  INSERT INTO audit_delivery (${entryColumns}) SELECT ${columnsOf('operator_act')} FROM operator_act`

/** Selects the state of the outbox, for operators and for metrics. */
export const auditQueueState = `
  SELECT 'audit_entries' AS name, count(*)::float8 AS waiting,
    count(*) FILTER (WHERE audit_delivery.attempts > 0)::float8 AS failing, min(audit_delivery.queued_at) AS "oldestAt"
  FROM audit_delivery`

/** The outbox in Postgres, in the schema whose transactions add to it. */
export function postgresAuditOutbox(pool: Pool): AuditOutbox {
  const queue = leasedQueue<AuditEntry, 'id'>(pool, {
    name: 'audit-delivery',
    table: 'audit_delivery',
    key: { id: 'text' },
    columns: entryOf('audit_delivery'),
  })
  return {
    claim: queue.claim,
    finish: (entry) => queue.finish([entry]),
    postpone: (entry) => queue.postpone([entry]),
  }
}
