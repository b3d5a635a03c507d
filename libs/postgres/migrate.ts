import { setTimeout as sleep } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import type pg from 'pg'
import { errorCode } from './errors.js'
import { connect, roleRefused, schemaRefused } from './migration-error.js'

/** One step forward of a schema. Unqualified names mean the service's schema. */
export interface Migration {
  /** Sorts in the order of application, such as `0001-snippets`. */
  readonly name: string
  up(db: Knex): Promise<void>
}

/** Where a service keeps its tables and who owns them. */
export interface SchemaOptions {
  /** A login that may create schemas, and roles unless they exist. */
  readonly url: string
  readonly schema: string
  /** The role that owns the schema; made if it is missing. `null` for the login itself. */
  readonly role: string | null
}

/** A key for `pg_advisory_lock`, the same in every process: migrations of all services run one after another. */
const lockKey = 7_305_813_426

const insufficientPrivilege = '42501'

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; member: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE pg_roles.rolname = $1) AS exists,
            EXISTS (SELECT FROM pg_roles WHERE pg_roles.rolname = $1 AND pg_has_role(current_user, pg_roles.oid, 'MEMBER')) AS member`,
    [role],
  )
  const found = rows[0]
  if (found?.exists !== true) await client.query(`CREATE ROLE ${quote(role)} NOLOGIN`)
  if (found?.member !== true) await client.query(`GRANT ${quote(role)} TO current_user`)
}

/** What a rival leaves behind: the role or the grant was made between our look and our statement. */
const madeMeanwhile = /^(23505|42710|XX000)$/

/** Roles belong to the whole cluster, so another database's migration may make the same one at the same time. */
async function ensureRoleAgainstOthers(client: pg.Client, role: string): Promise<void> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await ensureRole(client, role)
    } catch (error) {
      if (errorCode(error) === insufficientPrivilege) throw await roleRefused(client, role, error)
      if (retries === 5 || !madeMeanwhile.test(errorCode(error) ?? '')) throw error
      await sleep(50 * (retries + 1))
    }
  }
}

async function ensureSchema(client: pg.Client, options: SchemaOptions): Promise<void> {
  if (options.role !== null) await ensureRoleAgainstOthers(client, options.role)
  const { rowCount } = await client.query('SELECT FROM pg_namespace WHERE pg_namespace.nspname = $1', [
    options.schema,
  ])
  if (rowCount === 0) {
    const owner = options.role === null ? '' : ` AUTHORIZATION ${quote(options.role)}`
    try {
      await client.query(`CREATE SCHEMA ${quote(options.schema)}${owner}`)
    } catch (error) {
      if (errorCode(error) === insufficientPrivilege) throw await schemaRefused(client, options.schema, error)
      throw error
    }
  }
}

function migrator(options: SchemaOptions, migrations: readonly Migration[]): Knex {
  return knex({
    client: 'pg',
    connection: { connectionString: options.url, options: '-c lock_timeout=2000' },
    pool: {
      min: 0,
      max: 1,
      afterCreate: (connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) => {
        const role = options.role === null ? '' : `SET ROLE ${quote(options.role)};`
        connection.query(`${role} SET search_path = ${quote(options.schema)}`).then(
          () => done(null, connection),
          (error: Error) => done(error, connection),
        )
      },
    },
    migrations: {
      tableName: 'migrations',
      schemaName: options.schema,
      migrationSource: {
        getMigrations: async () => [...migrations],
        getMigrationName: (migration: Migration) => migration.name,
        getMigration: async (migration: Migration) => ({ up: migration.up, down: async () => {} }),
      },
    },
  })
}

/**
 * Makes role and schema if they are missing and applies the migrations that have not been. Safe to start many times
 * at once: an advisory lock lets one in after another, and ends with the session that holds it.
 * @returns the names that were applied now.
 * @throws MigrationError when the database cannot be reached or the login lacks a right.
 */
export async function migrate(
  options: SchemaOptions,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const client = await connect(options.url)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await ensureSchema(client, options)
    const db = migrator(options, migrations)
    try {
      // Only the holder of the advisory lock comes here, so a lock that knex left behind belongs to a killed run.
      await db.migrate.forceFreeMigrationsLock()
      const [, applied] = (await db.migrate.latest()) as [number, readonly string[]]
      return applied
    } finally {
      await db.destroy()
    }
  } finally {
    await client.end()
  }
}
