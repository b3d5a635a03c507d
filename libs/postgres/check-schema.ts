import pg from 'pg'
import { clockFinding, skewOf } from '../doctor/clock-finding.js'
import { type Finding, ok, problem, warning } from '../doctor/finding.js'
import { createLogger } from '../log/logger.js'
import { compareMigrations } from './compare-migrations.js'
import { errorCode } from './errors.js'
import { whyNotConnected } from './migration-error.js'
import { createPool, type PoolOptions } from './pool.js'
import { isDirect, SessionRefused, sessionRole } from './prepare-session.js'

/** A schema, as its service uses it. */
export interface SchemaCheck {
  readonly database: PoolOptions
  /** The names of the migrations of this release. */
  readonly migrations: readonly string[]
  /** The command that migrates the schema. */
  readonly migrateCommand: string
}

/** The oldest version with security updates. */
const versionMin = 14

async function rowOf(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResultRow> {
  const { rows } = await client.query(text, [...values])
  return rows[0] ?? {}
}

async function checkServer(
  client: pg.PoolClient,
  { connectionsMax }: PoolOptions,
): Promise<readonly Finding[]> {
  const row = await rowOf(
    client,
    `SELECT current_setting('server_version_num')::integer / 10000 AS version,
            pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS read_only,
            current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer AS offered,
            (SELECT count(*)::integer FROM pg_stat_activity WHERE pg_stat_activity.backend_type = 'client backend') AS used`,
  )
  const [version, offered, used] = [Number(row.version), Number(row.offered), Number(row.used)]
  const findings = [
    version >= versionMin
      ? ok('database', `Postgres ${version} responds`)
      : warning('database', `Postgres ${version} no longer gets updates`, 'upgrade to Postgres 14 or later'),
  ]
  if (row.read_only === true)
    findings.push(
      problem(
        'database writing',
        'the server is read-only',
        'set DATABASE_URL to the primary, not to a standby',
      ),
    )
  const message = `${used} of ${offered} connections are in use, and this process may open ${connectionsMax}`
  findings.push(
    used > offered * 0.9 || connectionsMax > offered
      ? warning('connections', message, 'lower DATABASE_POOL_MAX, or raise max_connections of Postgres')
      : ok('connections', message),
  )
  return findings
}

async function checkClock(client: pg.PoolClient): Promise<Finding> {
  const askedAt = Date.now()
  const { said } = await rowOf(client, 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS said')
  return clockFinding(
    'database clock',
    'Postgres',
    skewOf({ askedAt, said: Number(said), arrivedAt: Date.now() }),
  )
}

function loginOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).username) : 'of DATABASE_URL'
}

/** Why there is no session, as its finding. */
function notConnected({ url, ...options }: PoolOptions, error: unknown): Finding {
  const { what, remedy } = whyNotConnected(url, error)
  const role = sessionRole(options)
  const cause = error instanceof SessionRefused ? errorCode(error.cause) : undefined
  if (role === null || (cause !== '22023' && cause !== '42501')) return problem('database', what, remedy)
  const [quoted, login] = [pg.escapeIdentifier(role), loginOf(url)]
  const missing = cause === '22023'
  const message = missing ? `there is no role ${role}` : `the login ${login} may not use the role ${role}`
  const grant = `GRANT ${quoted} TO ${pg.escapeIdentifier(login)};`
  return problem('role', message, `psql -c '${missing ? `CREATE ROLE ${quoted} NOLOGIN; ` : ''}${grant}'`)
}

/**
 * Whether a pooler keeps the prepared statements of its clients apart. One that lends its sessions for a transaction
 * each, and knows nothing of prepared statements, still has the first client's in its session when the second comes.
 */
async function checkPooler(database: PoolOptions): Promise<Finding> {
  try {
    for (let clients = 0; clients < 2; clients += 1)
      await withSession(database, (client) => client.query({ name: 'doctor-pooler', text: 'SELECT 1' }))
    return ok('pooler', 'its sessions have the settings of this service')
  } catch (error) {
    if (!/^(42P05|26000)$/.test(errorCode(error) ?? '')) throw error
    return problem(
      'pooler',
      'the pooler mixes up the prepared statements of its clients',
      'use PgBouncer 1.21 or later with max_prepared_statements, or its session mode (docs/growing.md)',
    )
  }
}

async function checkRights(client: pg.PoolClient, schema: string): Promise<Finding | null> {
  const row = await rowOf(
    client,
    `SELECT count(*)::integer AS tables,
            count(*) FILTER (WHERE has_table_privilege(pg_class.oid, 'SELECT, INSERT, UPDATE, DELETE'))::integer AS granted
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      WHERE pg_namespace.nspname = $1 AND pg_class.relkind = 'r'`,
    [schema],
  )
  if (row.tables === row.granted) return null
  const message = `the role cannot read and write ${Number(row.tables) - Number(row.granted)} tables of ${schema}`
  const quoted = pg.escapeIdentifier(schema)
  const remedy = `psql -c 'GRANT ALL ON ALL TABLES IN SCHEMA ${quoted} TO CURRENT_USER' as their owner, or set DATABASE_ROLE to the role that owns them`
  return problem('role', message, remedy)
}

async function appliedIn(client: pg.PoolClient, schema: string): Promise<readonly string[]> {
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT migrations.name FROM ${pg.escapeIdentifier(schema)}.migrations ORDER BY migrations.id`,
    )
    return rows.map(({ name }) => name)
  } catch (error) {
    if (errorCode(error) === '42P01' || errorCode(error) === '3F000') return []
    throw error
  }
}

async function checkMigrations(
  client: pg.PoolClient,
  { database: { schema }, migrations, migrateCommand }: SchemaCheck,
): Promise<Finding> {
  const { missing, newer } = compareMigrations(migrations, await appliedIn(client, schema))
  if (missing.length > 0)
    return problem('migrations', `the schema ${schema} lacks ${missing.join(', ')}`, migrateCommand)
  if (newer.length > 0)
    return warning(
      'migrations',
      `the schema ${schema} is newer than this release: ${newer.join(', ')}`,
      'run the release that applied them; this one works with it if it is the previous release',
    )
  return ok('migrations', `the schema ${schema} has all ${migrations.length}`)
}

async function checkIndexes(client: pg.PoolClient, schema: string): Promise<Finding | null> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT pg_class.relname AS name FROM pg_index
       JOIN pg_class ON pg_class.oid = pg_index.indexrelid
       JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      WHERE pg_namespace.nspname = $1 AND NOT pg_index.indisvalid`,
    [schema],
  )
  if (rows.length === 0) return null
  const names = rows.map(({ name }) => `${schema}.${name}`)
  const remedy = `psql ${names.map((name) => `-c 'REINDEX INDEX CONCURRENTLY ${name}'`).join(' ')}`
  return warning('indexes', `not valid: ${names.join(', ')}`, remedy)
}

function describeRole(role: string | null, owner: string | null): string {
  if (role === null) return 'the login itself'
  return role === owner
    ? `${role} is usable and owns its tables`
    : `${role} is usable, and reads and writes what ${owner ?? 'the login'} owns`
}

/** Whether the login of the serving role could become the owner after all; `null` if all is well. */
async function checkServing(
  client: pg.PoolClient,
  { servingRole, role: owner }: PoolOptions,
): Promise<Finding | null> {
  if (servingRole == null || servingRole === owner) return null
  const row = await rowOf(
    client,
    `SELECT session_user AS login, pg_roles.rolsuper AS super,
            EXISTS (SELECT FROM pg_roles AS owners WHERE owners.rolname = $1
                       AND pg_has_role(session_user, owners.oid, 'MEMBER')) AS member
       FROM pg_roles WHERE pg_roles.rolname = session_user`,
    [owner],
  )
  const login = String(row.login)
  const message = `the login ${login} serves as ${servingRole}, but can become the owner of the schema`
  if (row.super === true) return warning('serving role', message, 'use a login that is not a superuser')
  if (row.member !== true || owner === null) return null
  const revoke = `REVOKE ${pg.escapeIdentifier(owner)} FROM ${pg.escapeIdentifier(login)};`
  return warning('serving role', message, `psql -c '${revoke}'`)
}

async function checkAsRole(client: pg.PoolClient, target: SchemaCheck): Promise<readonly Finding[]> {
  const { role: owner, schema } = target.database
  const role = sessionRole(target.database)
  const known = await rowOf(client, 'SELECT to_regnamespace($1) IS NOT NULL AS there', [
    pg.escapeIdentifier(schema),
  ])
  if (known.there !== true)
    return [problem('migrations', `there is no schema ${schema}`, target.migrateCommand)]
  const rights = await checkRights(client, schema)
  return [
    rights ?? ok('role', describeRole(role, owner)),
    await checkServing(client, target.database),
    await checkMigrations(client, target),
    await checkIndexes(client, schema),
  ].filter((finding) => finding !== null)
}

/** Does `work` in a session just as processes open theirs. */
async function withSession<Result>(
  database: PoolOptions,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({ ...database, connectionsMax: 1 }, createLogger('doctor', 'silent'))
  try {
    const client = await pool.connect()
    try {
      return await work(client)
    } finally {
      client.release(true)
    }
  } finally {
    await pool.end()
  }
}

/** Whether a service can use its database: connection, role, rights and every migration. */
export async function checkSchema(target: SchemaCheck): Promise<readonly Finding[]> {
  const { database } = target
  let connected = false
  try {
    const { isPooled, findings } = await withSession(database, async (client) => {
      connected = true
      const { pid } = await rowOf(client, 'SELECT pg_backend_pid() AS pid')
      return {
        isPooled: !isDirect(client, Number(pid)),
        findings: [
          ...(await checkServer(client, database)),
          await checkClock(client),
          ...(await checkAsRole(client, target)),
        ],
      }
    })
    return isPooled ? [...findings, await checkPooler(database)] : findings
  } catch (error) {
    if (connected) throw error
    return [notConnected(database, error)]
  }
}
