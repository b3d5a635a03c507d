import type { Pool } from '#libs/postgres/pool.js'
import { createMigratedSchema } from '#libs/testing/migrated-schema.js'
import { postgresHistoryStore } from '../adapters/postgres-history-store.js'
import { migrations } from '../migrate.js'
import type { ActivityFixture } from './activity-fixture.js'

/** Activity in a schema of its own on real Postgres. */
export interface PostgresFixture extends ActivityFixture {
  readonly pool: Pool
  /** Empties every table. */
  reset(): Promise<PostgresFixture>
  close(): Promise<void>
}

function older(ms: number): string {
  const age = `interval '${ms} milliseconds'`
  return `
    UPDATE owner SET newest_at = newest_at - ${age}, lapsed_at = lapsed_at - ${age};
    UPDATE entry SET created_at = created_at - ${age};
    UPDATE idempotency_key SET created_at = created_at - ${age}`
}

/** Creates the schema and two pools, as two processes would have them. */
export async function openPostgresFixture(prefix: string): Promise<PostgresFixture> {
  const schema = await createMigratedSchema(prefix, migrations)
  const pool = schema.openPool()
  const others = schema.openPool()
  const fixture: PostgresFixture = {
    pool,
    history: postgresHistoryStore(pool),
    another: () => postgresHistoryStore(others),
    async reset() {
      await schema.asOwner('TRUNCATE owner, entry, idempotency_key, erasure_ledger')
      return fixture
    },
    async passTime(ms) {
      await pool.query(older(ms))
    },
    close: schema.close,
  }
  return fixture
}
