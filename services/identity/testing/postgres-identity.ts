import { createLogger } from '#libs/log/logger.js'
import { migrate } from '#libs/postgres/migrate.js'
import { createPool, type Pool } from '#libs/postgres/pool.js'
import { createTestSchema } from '#libs/testing/test-schema.js'
import { accounts } from '../migrations/0001-accounts.js'
import { apiKeys } from '../migrations/0002-api-keys.js'

/** Identity's schema on real Postgres. */
export interface PostgresIdentity {
  readonly pool: Pool
  /** Empties every table. */
  reset(): Promise<void>
  /** Makes everything that is stored older, as if so many milliseconds had passed. */
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

const tables = 'account, api_key, api_key_usage, usage_batch, idempotency_key'

function older(ms: number): string {
  const age = `interval '${ms} milliseconds'`
  return `
    UPDATE api_key SET created_at = created_at - ${age}, expires_at = expires_at - ${age};
    UPDATE usage_batch SET applied_at = applied_at - ${age};
    UPDATE idempotency_key SET created_at = created_at - ${age}`
}

/** Makes the schema and opens a pool in it, as a running process has one. */
export async function openPostgresIdentity(prefix: string): Promise<PostgresIdentity> {
  const schema = await createTestSchema(prefix)
  await migrate({ ...schema, role: null }, [accounts, apiKeys])
  const session = {
    url: schema.url,
    schema: schema.schema,
    role: null,
    connectionsMax: 10,
    statementTimeoutMs: 20_000,
  }
  const pool = createPool(session, createLogger('test', 'silent'))
  return {
    pool,
    async reset() {
      await pool.query(`TRUNCATE ${tables}`)
    },
    async passTime(ms) {
      await pool.query(older(ms))
    },
    async close() {
      await pool.end()
      await schema.drop()
    },
  }
}
