import pg from 'pg'
import { messageOf } from '../core/message-of.js'
import { errorCode } from './errors.js'
import { type ConnectionTrouble, isDirect, SessionRefused } from './prepare-session.js'

/** Why a schema cannot be migrated: a sentence for the operator, with what to do about it. */
export class MigrationError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'MigrationError'
  }
}

/** Never with the password. */
function shown(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL'
  const { username, hostname, port, pathname } = new URL(url)
  return `${decodeURIComponent(username)}@${hostname}:${port === '' ? '5432' : port}${pathname}`
}

/** Why no connection could be opened; never with the password. */
export function whyNotConnected(url: string, failure: unknown): ConnectionTrouble {
  if (failure instanceof SessionRefused && failure.trouble !== null) return failure.trouble
  const error = failure instanceof SessionRefused ? failure.cause : failure
  const where = shown(url)
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return { what: `Nothing listens at ${where}`, remedy: 'start Postgres, or fix DATABASE_URL' }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { what: `The host of ${where} cannot be found`, remedy: 'fix DATABASE_URL' }
    case '28P01':
    case '28000':
      return {
        what: `Postgres rejected the login ${where}`,
        remedy: 'fix the user or password in DATABASE_URL',
      }
    case '3D000':
      return {
        what: `The database of ${where} does not exist`,
        remedy: 'create it, or fix DATABASE_URL',
      }
    case '22023':
    case '42501':
      return {
        what: `Postgres does not let ${where} use its role (${messageOf(error)})`,
        remedy: 'grant the role to the login, or fix DATABASE_ROLE',
      }
    default:
      return {
        what: `The database ${where} cannot be reached (${messageOf(error)})`,
        remedy: 'check DATABASE_URL',
      }
  }
}

/**
 * Opens a connection for a migration.
 * @throws MigrationError that says what is wrong with the address or the login.
 */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
  } catch (cause) {
    const { what, remedy } = whyNotConnected(url, cause)
    throw new MigrationError(`${what}; ${remedy}.`, { cause })
  }
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  if (isDirect(client, Number(rows[0]?.pid))) return client
  await client.end()
  throw new MigrationError(
    `A connection pooler answers at ${shown(url)}. Migrations hold locks and roles in sessions of their own: set DATABASE_URL of the migration to Postgres itself.`,
  )
}

async function loginOf(client: pg.Client): Promise<{ login: string; database: string }> {
  const { rows } = await client.query<{ login: string; database: string }>(
    'SELECT current_user AS login, current_database() AS database',
  )
  return rows[0] ?? { login: 'the login', database: 'the database' }
}

/** The login may neither create the role nor use it. */
export async function roleRefused(client: pg.Client, role: string, cause: unknown): Promise<MigrationError> {
  const { login } = await loginOf(client)
  const [quotedRole, quotedLogin] = [pg.escapeIdentifier(role), pg.escapeIdentifier(login)]
  return new MigrationError(
    `The login ${login} may not create or use the role ${role}. Ask an administrator to run CREATE ROLE ${quotedRole} NOLOGIN; GRANT ${quotedRole} TO ${quotedLogin}; or set DATABASE_ROLE=${login} to use no separate role.`,
    { cause },
  )
}

/** The login may not create the serving role. */
export async function servingRoleRefused(
  client: pg.Client,
  role: string,
  cause: unknown,
): Promise<MigrationError> {
  const { login } = await loginOf(client)
  return new MigrationError(
    `The login ${login} may not create the role ${role}. Ask an administrator to run CREATE ROLE ${pg.escapeIdentifier(role)} NOLOGIN; or unset DATABASE_SERVING_ROLE to serve as the owner of the schema.`,
    { cause },
  )
}

/** The login may not create the schema. */
export async function schemaRefused(
  client: pg.Client,
  schema: string,
  cause: unknown,
): Promise<MigrationError> {
  const { login, database } = await loginOf(client)
  return new MigrationError(
    `The login ${login} may not create the schema ${schema}. Ask an administrator to run GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(login)};`,
    { cause },
  )
}

/** The blocking session: the one with the oldest transaction, if it may be seen. */
async function oldestTransaction(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ holder: string }>(
      `SELECT format('session %s of %s, in a transaction for %s s', pg_stat_activity.pid,
                coalesce(nullif(pg_stat_activity.application_name, ''), pg_stat_activity.usename),
                floor(extract(epoch FROM clock_timestamp() - pg_stat_activity.xact_start))) AS holder
         FROM pg_stat_activity
        WHERE pg_stat_activity.datname = current_database() AND pg_stat_activity.pid <> pg_backend_pid()
          AND pg_stat_activity.xact_start IS NOT NULL
        ORDER BY pg_stat_activity.xact_start LIMIT 1`,
    )
    return rows[0] === undefined ? '' : ` (perhaps ${rows[0].holder})`
  } catch {
    return ''
  }
}

/** Another migration, or what is left of one, has held the lock for too long. */
export function turnRefused(holders: string, waitedMs: number): MigrationError {
  return new MigrationError(
    `Another migration has not finished within ${Math.round(waitedMs / 1_000)} s; ${holders}. If it is still running, run this one again when it has finished. If none is, end that session with SELECT pg_terminate_backend(…) and run this one again.`,
  )
}

/** Another session held a needed lock for longer than the migration may block others. */
export async function lockRefused(
  client: pg.Client,
  schema: string,
  cause: unknown,
): Promise<MigrationError> {
  const holder = await oldestTransaction(client)
  return new MigrationError(
    `Another transaction${holder} has held a lock in the schema ${schema} for more than 2 s. The step was rolled back so that writers do not have to wait. Run the migration again when that transaction has ended.`,
    { cause },
  )
}

/** The schema and the release each have a migration that the other lacks. */
export function linesApart(
  schema: string,
  newer: readonly string[],
  missing: readonly string[],
): MigrationError {
  return new MigrationError(
    `The schema ${schema} has ${newer.join(', ')}, which this release does not know, and lacks ${missing.join(', ')}: it belongs to a different line of releases. Run a release that has all of them.`,
  )
}
