import pg from 'pg'
import { type Finding, ok, problem, warning } from '../doctor/finding.js'
import { judgeClock, skewOf } from '../doctor/judge-clock.js'
import { compareMigrations } from './compare-migrations.js'
import { errorCode } from './errors.js'
import { whyNotConnected } from './migration-error.js'
import { type PoolOptions, sessionRole } from './pool.js'

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
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResultRow> {
  const { rows } = await client.query(text, [...values])
  return rows[0] ?? {}
}

async function checkServer(client: pg.Client, { connectionsMax }: PoolOptions): Promise<readonly Finding[]> {
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

async function checkClock(client: pg.Client): Promise<Finding> {
  const askedAt = Date.now()
  const { said } = await rowOf(client, 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS said')
  return judgeClock(
    'database clock',
    'Postgres',
    skewOf({ askedAt, said: Number(said), arrivedAt: Date.now() }),
  )
}

/** Whether the session can use the role; `null` if all is well. */
async function takeOnRole(client: pg.Client, role: string | null): Promise<Finding | null> {
  if (role === null) return null
  const [quoted, login] = [pg.escapeIdentifier(role), client.user ?? '']
  try {
    await client.query(`SET ROLE ${quoted}`)
    return null
  } catch (error) {
    const missing = errorCode(error) === '22023'
    const message = missing ? `there is no role ${role}` : `the login ${login} may not use the role ${role}`
    const grant = `GRANT ${quoted} TO ${pg.escapeIdentifier(login)};`
    return problem('role', message, `psql -c '${missing ? `CREATE ROLE ${quoted} NOLOGIN; ` : ''}${grant}'`)
  }
}

async function checkRights(client: pg.Client, schema: string): Promise<Finding | null> {
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

async function appliedIn(client: pg.Client, schema: string): Promise<readonly string[]> {
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
  client: pg.Client,
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

async function checkIndexes(client: pg.Client, schema: string): Promise<Finding | null> {
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
  client: pg.Client,
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

async function checkAsRole(client: pg.Client, target: SchemaCheck): Promise<readonly Finding[]> {
  const { role: owner, schema } = target.database
  const role = sessionRole(target.database)
  const refused = await takeOnRole(client, role)
  if (refused !== null) return [refused]
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

/** Whether a service can use its database: connection, role, rights and every migration. */
export async function checkSchema(target: SchemaCheck): Promise<readonly Finding[]> {
  const { url } = target.database
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { what, remedy } = whyNotConnected(url, error)
    return [problem('database', what, remedy)]
  }
  try {
    return [
      ...(await checkServer(client, target.database)),
      await checkClock(client),
      ...(await checkAsRole(client, target)),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}
