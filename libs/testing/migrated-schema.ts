import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'
import { createLogger } from '../log/logger.js'
import { type Migration, migrate } from '../postgres/migrate.js'
import { createPool, type Pool, type PoolOptions } from '../postgres/pool.js'

/** A schema for one test file, with a service's tables. */
export interface MigratedSchema {
  /** Opens a pool as a running process would: with a role that cannot change the schema. */
  openPool(options?: Partial<PoolOptions>): Pool
  /** Runs a statement as the owner of the tables, for what processes may not do. */
  asOwner(statement: string): Promise<void>
  /** Migrates the schema further, to the last of these migrations. */
  migrateOn(migrations: readonly Migration[]): Promise<void>
  /** Closes all pools and drops the schema. */
  close(): Promise<void>
}

async function dropSchema(url: string, schema: string, servingRole: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [servingRole])
    // A release before serving roles created none.
    if (rowCount === 0) return
    const role = pg.escapeIdentifier(servingRole)
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  } finally {
    await client.end()
  }
}

/**
 * Lets the newer release, in the folder TEST_NEWER_RELEASE, migrate the schema to its own state: this is how
 * `npm run test:previous` runs one release's tests on the next one's schema.
 */
async function migrateByNewer(url: string, schema: string, migrations: readonly Migration[]): Promise<void> {
  const newer = process.env.TEST_NEWER_RELEASE ?? ''
  const [first] = migrations
  if (newer === '' || first === undefined) return
  await promisify(execFile)(
    process.execPath,
    [join(newer, 'e2e/harness/run-migrations.mjs'), 'after', first.name],
    { cwd: newer, env: { PATH: process.env.PATH ?? '', MIGRATE_URL: url, MIGRATE_SCHEMA: schema } },
  )
}

/** Creates a unique schema with these migrations, on the server that the setup provides. */
export async function createMigratedSchema(
  prefix: string,
  migrations: readonly Migration[],
): Promise<MigratedSchema> {
  const url = inject('databaseUrl')
  const schema = `${prefix}_${randomBytes(6).toString('hex')}`
  const servingRole = `${schema}_serving`
  await migrate({ url, schema, role: null, servingRole }, migrations)
  await migrateByNewer(url, schema, migrations)
  const pools: Pool[] = []
  const openPool = (options: Partial<PoolOptions> = {}): Pool => {
    const usual = { url, schema, role: null, servingRole, connectionsMax: 10, statementTimeoutMs: 20_000 }
    const pool = createPool({ ...usual, ...options }, createLogger('test', 'silent'))
    pools.push(pool)
    return pool
  }
  let owner: Pool | null = null
  return {
    openPool,
    async asOwner(statement) {
      owner ??= openPool({ servingRole: null, connectionsMax: 1 })
      await owner.query(statement)
    },
    async migrateOn(further) {
      await migrate({ url, schema, role: null, servingRole }, further)
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
      await dropSchema(url, schema, servingRole)
    },
  }
}
