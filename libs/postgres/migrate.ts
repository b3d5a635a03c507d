import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import pg from 'pg'
import { compareMigrations } from './compare-migrations.js'
import { errorCode } from './errors.js'
import {
  connect,
  linesApart,
  lockRefused,
  roleRefused,
  schemaRefused,
  turnRefused,
} from './migration-error.js'
import { asOwner, ensureServingRole, letServe } from './serving-role.js'

/** One migration of a schema. Unqualified names mean the service's schema. */
export interface Migration {
  /** Sorts in the order of application, such as `0001-snippets`. */
  readonly name: string
  /**
   * Whether it runs in a transaction. Without one, a killed run may leave half of it behind, and the next run starts
   * from the beginning: each statement must tolerate that, as `createIndexConcurrently` does.
   */
  readonly config?: { readonly transaction: false }
  up(db: Knex): Promise<void>
}

/** A service's schema and its roles. */
export interface SchemaOptions {
  /** A login that may create schemas, and missing roles. */
  readonly url: string
  readonly schema: string
  /** The role that owns the schema; created if missing. `null` for the login itself. */
  readonly role: string | null
  /** The role that may read and write the up-to-date schema; none by default. */
  readonly servingRole?: string | null
  /** How long to wait for another migration, in milliseconds; ten minutes by default. */
  readonly lockWaitMs?: number
}

/**
 * Keys of advisory locks, the same in every process: migrations of all services run one after another. The holder of
 * `turn` opens a second session that migrates and holds `work`, because that session may outlive its killed process
 * for a while, and the next run must wait for its end.
 */
const lockKeys = { turn: 7_305_813_426, work: 7_305_813_427 }

/** Between two tries to take a lock: soon at first, because most runs end at once. */
const pollMs = { first: 10, max: 100 }

const nameHolderAfterMs = 10_000
/** How long a migration waits for others, and for what a killed one has left running. */
const lockWaitMs = { turn: 600_000, work: 110_000 }

const insufficientPrivilege = '42501'
const lockNotAvailable = '55P03'

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; member: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE pg_roles.rolname = $1) AS exists,
            EXISTS (SELECT FROM pg_roles WHERE pg_roles.rolname = $1 AND pg_has_role(current_user, pg_roles.oid, 'MEMBER')) AS member`,
    [role],
  )
  const found = rows[0]
  if (found?.exists !== true) await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)} NOLOGIN`)
  if (found?.member !== true) await client.query(`GRANT ${pg.escapeIdentifier(role)} TO current_user`)
}

/** A concurrent run: the role or the grant was created between our check and our statement. */
const madeMeanwhile = /^(23505|42710|XX000)$/

/** Roles belong to the whole cluster, so another database's migration may create the same one at the same time. */
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
    const owner = options.role === null ? '' : ` AUTHORIZATION ${pg.escapeIdentifier(options.role)}`
    try {
      await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(options.schema)}${owner}`)
    } catch (error) {
      if (errorCode(error) === insufficientPrivilege) throw await schemaRefused(client, options.schema, error)
      throw error
    }
  }
}

/** The sessions that hold an advisory lock, as part of a sentence. */
async function holdersOf(client: Pick<pg.Client, 'query'>, key: number): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT format('session %s of %s holds its lock (%s for %s s)', pg_locks.pid,
              coalesce(nullif(pg_stat_activity.application_name, ''), pg_stat_activity.usename, 'another user'),
              coalesce(pg_stat_activity.state, 'doing what this login may not see'),
              floor(extract(epoch FROM clock_timestamp() - pg_stat_activity.state_change))) AS holder
       FROM pg_locks LEFT JOIN pg_stat_activity ON pg_stat_activity.pid = pg_locks.pid
      WHERE pg_locks.locktype = 'advisory' AND pg_locks.granted
        AND pg_locks.database = (SELECT pg_database.oid FROM pg_database WHERE pg_database.datname = current_database())
        AND pg_locks.classid = ($1::bigint >> 32)::oid AND pg_locks.objid = ($1::bigint & 4294967295)::oid`,
    [key],
  )
  return rows.map(({ holder }) => holder).join('; ') || 'its lock has just been released'
}

/**
 * Takes an advisory lock for the lifetime of the session. It polls instead of waiting in the server: a waiting
 * session holds a snapshot, whose end the `CREATE INDEX CONCURRENTLY` of the current holder would wait for.
 * @throws MigrationError that names the holder if the lock is not free within `waitMs`.
 */
async function takeLock(
  client: Pick<pg.Client, 'query'>,
  key: number,
  waitMs: number,
  say: (sentence: string) => void = () => {},
): Promise<void> {
  const startedAt = performance.now()
  let holderNamed = false
  for (let tries = 0; ; tries += 1) {
    if (tries === 1) say('Another migration is running; waiting for it to finish.')
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [key])
    if (rows[0]?.taken === true) return
    const waitedMs = performance.now() - startedAt
    if (waitedMs > waitMs) throw turnRefused(await holdersOf(client, key), waitedMs)
    if (!holderNamed && waitedMs > nameHolderAfterMs) {
      holderNamed = true
      say(`Still waiting: ${await holdersOf(client, key)}.`)
    }
    await sleep(Math.min(pollMs.first * 2 ** tries, pollMs.max))
  }
}

/**
 * Makes the server end a statement within a second of its client's end, if it can (Postgres 14 and later, most
 * systems).
 */
async function endWithClient(client: Pick<pg.Client, 'query'>): Promise<void> {
  const name = 'client_connection_check_interval'
  const statement = `SELECT set_config(pg_settings.name, '1000', false) FROM pg_settings WHERE pg_settings.name = $1`
  await client.query(statement, [name]).catch(() => {})
}

async function prepareSession(client: pg.Client, { role, schema }: SchemaOptions): Promise<void> {
  await endWithClient(client)
  await takeLock(client, lockKeys.work, lockWaitMs.work)
  await client.query(`SET ROLE ${role === null ? 'NONE' : pg.escapeIdentifier(role)}`)
  await client.query(`SET search_path = ${pg.escapeIdentifier(schema)}`)
}

/** Knex is loaded only here: serving processes also know their migrations, but have no use for Knex. */
async function migrator(options: SchemaOptions, migrations: readonly Migration[]): Promise<Knex> {
  const { default: knex } = await import('knex')
  return knex({
    client: 'pg',
    // The login may have other timeouts, for serving through a pooler.
    connection: {
      connectionString: options.url,
      options: '-c lock_timeout=2000 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
    },
    pool: {
      min: 0,
      max: 1,
      // The reason why there is no session, at once, and not that there is none, later.
      propagateCreateError: true,
      afterCreate: (connection: pg.Client, done: (error: Error | null, connection: pg.Client) => void) => {
        prepareSession(connection, options).then(
          () => done(null, connection),
          (error: Error) => done(error, connection),
        )
      },
      // A killed migration may need some time to end.
      createTimeoutMillis: 120_000,
      acquireTimeoutMillis: 120_000,
    },
    migrations: {
      tableName: 'migrations',
      schemaName: options.schema,
      // A newer release may have migrated; `bringUpToDate` judges that.
      disableMigrationsListValidation: true,
      migrationSource: {
        getMigrations: async () => [...migrations],
        getMigrationName: (migration: Migration) => migration.name,
        getMigration: async ({ up, config }: Migration) => ({ up, down: async () => {}, config }),
      },
    },
  })
}

/** The names of the applied migrations, in order; `null` if the schema is new and has no list of them. */
async function appliedIn(client: pg.Client, schema: string): Promise<readonly string[] | null> {
  const table = `${pg.escapeIdentifier(schema)}.migrations`
  const { rows: found } = await client.query<{ there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [table],
  )
  if (found[0]?.there !== true) return null
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`)
  return rows.map(({ name }) => name)
}

async function applyMissing(
  options: SchemaOptions,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const db = await migrator(options, migrations)
  try {
    // Only the holder of the advisory locks gets here, so an existing knex lock belongs to a killed run.
    await db.migrate.forceFreeMigrationsLock()
    const [, applied] = (await db.migrate.latest()) as [number, readonly string[]]
    return applied
  } finally {
    await db.destroy()
  }
}

/**
 * Knex comes in only if a migration is missing: with nothing to do, loading it and its questions took most of the time.
 * @throws MigrationError if the schema has migrations that this release does not know and also lacks one, since it then
 *   belongs to another line of releases.
 */
async function bringUpToDate(
  client: pg.Client,
  options: SchemaOptions,
  migrations: readonly Migration[],
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const { schema } = options
  const before = await asOwner(client, options, () => appliedIn(client, schema))
  const known = migrations.map(({ name }) => name)
  const { missing, newer } = compareMigrations(known, before ?? [])
  if (newer.length > 0) {
    if (missing.length > 0) throw linesApart(schema, newer, missing)
    say(`The schema ${schema} is newer than this release (${newer.join(', ')}); nothing to do.`)
    return []
  }
  const isCurrent = before !== null && missing.length === 0
  const applied = isCurrent ? [] : await applyMissing(options, migrations)
  await asOwner(client, options, () => letServe(client, options))
  if (applied.length > 0) say(`The schema ${schema} now has ${applied.join(', ')}.`)
  return applied
}

/**
 * Creates missing roles and the schema, and applies the missing migrations. Safe to run concurrently: advisory locks
 * let one run in after another. A statement that waits for a lock gives up after 2 s, because queries behind it wait
 * as well. On the schema of a newer release it does nothing.
 * @param say called with a sentence about what was done.
 * @returns the names of the applied migrations.
 * @throws MigrationError if the database cannot be reached, the login lacks a right, or a lock is not available.
 */
export async function migrate(
  options: SchemaOptions,
  migrations: readonly Migration[],
  say: (sentence: string) => void = () => {},
): Promise<readonly string[]> {
  const client = await connect(options.url)
  // If this session breaks meanwhile, the lock of the migrating one still keeps others out.
  client.on('error', () => {})
  try {
    await client.query(
      'SET ROLE NONE; SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0',
    )
    await takeLock(client, lockKeys.turn, options.lockWaitMs ?? lockWaitMs.turn, say)
    await ensureSchema(client, options)
    await ensureServingRole(client, options)
    return await bringUpToDate(client, options, migrations, say)
  } catch (error) {
    throw errorCode(error) === lockNotAvailable ? await lockRefused(client, options.schema, error) : error
  } finally {
    await client.end().catch(() => {})
  }
}
