import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'
import { createLogger } from '../log/logger.js'
import { type Migration, migrate } from '../postgres/migrate.js'
import { createPool, type Pool, type PoolOptions } from '../postgres/pool.js'

/** A schema of one test file, with the tables of a service in it. */
export interface MigratedSchema {
  /** A pool of its own, as a running process has one: by a role that may change nothing of the schema. */
  openPool(options?: Partial<PoolOptions>): Pool
  /** Runs a statement as the owner of the tables, for what no process may do. */
  asOwner(statement: string): Promise<void>
  /** Brings it on, to the last of these migrations. */
  migrateOn(migrations: readonly Migration[]): Promise<void>
  /** Closes every pool and removes the schema with everything in it. */
  close(): Promise<void>
}

async function dropSchema(url: string, schema: string, servingRole: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(schema)} CASCADE`)
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [servingRole])
    // A release that is older than serving roles made none.
    if (rowCount === 0) return
    const role = pg.escapeIdentifier(servingRole)
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  } finally {
    await client.end()
  }
}

/**
 * Has the newer release, whose folder TEST_NEWER_RELEASE names, bring the schema up to its own state: that is how
 * `npm run test:previous` runs the tests of one release on the schema of the next.
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

/** Makes a schema that no other test has, on the server that the setup provides, by these migrations. */
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
