import type { Pool } from '#libs/postgres/pool.js'
import { createMigratedSchema } from '#libs/testing/migrated-schema.js'
import { migrations } from '../migrate.js'

/** Identity's schema on real Postgres. */
export interface PostgresIdentity {
  readonly pool: Pool
  /** Empties every table. */
  reset(): Promise<void>
  /** Ages all records by this many milliseconds, as if time had passed. */
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

const tables =
  'account, api_key, api_key_usage, usage_batch, idempotency_key, trusted_publisher, exchanged_token, used_assertion, trusted_publisher_event, event, account_step, erasure_receipt, erasure_ledger'

function older(ms: number): string {
  const age = `interval '${ms} milliseconds'`
  return `
    UPDATE account SET signed_in_at = signed_in_at - ${age}, erase_after = erase_after - ${age};
    UPDATE account_step SET due_at = due_at - ${age};
    UPDATE api_key SET created_at = created_at - ${age}, expires_at = expires_at - ${age};
    UPDATE api_key_secret SET created_at = created_at - ${age}, first_used_at = first_used_at - ${age},
      last_used_at = last_used_at - ${age}, expires_at = expires_at - ${age};
    UPDATE event SET created_at = created_at - ${age};
    UPDATE usage_batch SET applied_at = applied_at - ${age};
    UPDATE idempotency_key SET created_at = created_at - ${age};
    UPDATE exchanged_token SET expires_at = expires_at - ${age};
    UPDATE used_assertion SET expires_at = expires_at - ${age}`
}

/** Creates the schema and a pool like that of a running process. */
export async function openPostgresIdentity(prefix: string): Promise<PostgresIdentity> {
  const schema = await createMigratedSchema(prefix, migrations)
  const pool = schema.openPool()
  return {
    pool,
    async reset() {
      await schema.asOwner(`TRUNCATE ${tables}`)
    },
    async passTime(ms) {
      await pool.query(older(ms))
    },
    close: schema.close,
  }
}
