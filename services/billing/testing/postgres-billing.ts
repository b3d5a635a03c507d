import { createMigratedSchema } from '#libs/testing/migrated-schema.js'
import { postgresAuditOutbox } from '#shared/operator/audit-outbox.js'
import { postgresAccountStore } from '../adapters/postgres-account-store.js'
import { postgresBillingOversight } from '../adapters/postgres-billing-oversight.js'
import { postgresEventLog } from '../adapters/postgres-event-log.js'
import { postgresIdempotencyStore } from '../adapters/postgres-idempotency-store.js'
import { postgresPlanOutbox } from '../adapters/postgres-plan-outbox.js'
import { postgresReconciliationSchedule } from '../adapters/postgres-reconciliation-schedule.js'
import { migrations } from '../migrate.js'
import type { BillingFixture } from './billing-fixture.js'

/** Billing on real Postgres, in its own schema. */
export interface PostgresBilling extends BillingFixture {
  /** Empties every table. */
  reset(): Promise<PostgresBilling>
  close(): Promise<void>
}

function older(ms: number): string {
  const age = `interval '${ms} milliseconds'`
  return `
    UPDATE subscription SET look_at = look_at - ${age}, overdue_since = overdue_since - ${age};
    UPDATE checkout SET started_at = started_at - ${age}, expires_at = expires_at - ${age};
    UPDATE unwanted_subscription SET due_at = due_at - ${age};
    UPDATE provider_event SET due_at = due_at - ${age}, finished_at = finished_at - ${age};
    UPDATE idempotency_key SET created_at = created_at - ${age};
    UPDATE plan_delivery SET due_at = due_at - ${age};
    UPDATE audit_delivery SET due_at = due_at - ${age};
    UPDATE plan_grant SET until = until - ${age}, look_at = look_at - ${age};
    UPDATE reconciliation SET due_at = due_at - ${age}`
}

/** Creates the schema, and opens two pools in it, as two running processes would. */
export async function openPostgresBilling(prefix: string): Promise<PostgresBilling> {
  const schema = await createMigratedSchema(prefix, migrations)
  const stores = (pool: ReturnType<typeof schema.openPool>) => ({
    accounts: postgresAccountStore(pool),
    eventLog: postgresEventLog(pool),
    outbox: postgresPlanOutbox(pool),
    auditOutbox: postgresAuditOutbox(pool),
    idempotency: postgresIdempotencyStore(pool),
    reconciliation: postgresReconciliationSchedule(pool),
    oversight: postgresBillingOversight(pool),
  })
  const pool = schema.openPool()
  const others = stores(schema.openPool())
  const fixture: PostgresBilling = {
    ...stores(pool),
    another: () => others,
    async now() {
      const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')
      return rows[0]?.now ?? new Date(Number.NaN)
    },
    async passTime(ms) {
      await pool.query(older(ms))
    },
    async reset() {
      await schema.asOwner(`
        TRUNCATE account, subscription, checkout, unwanted_subscription, plan_grant, provider_event, plan_delivery, audit_delivery, idempotency_key, erasure_ledger;
        UPDATE reconciliation SET due_at = now()`)
      return fixture
    },
    close: schema.close,
  }
  return fixture
}
