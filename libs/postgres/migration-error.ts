import pg from 'pg'
import { errorCode } from './errors.js'

/** Why a schema cannot be brought up to date: a sentence for the operator, with what to do about it. */
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

function whyNotConnected(url: string, error: unknown): string {
  const where = shown(url)
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${where}; start that Postgres, or correct DATABASE_URL.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${where} is not known; correct DATABASE_URL.`
    case '28P01':
    case '28000':
      return `Postgres refuses the login ${where}; correct the user or the password in DATABASE_URL.`
    case '3D000':
      return `The database of ${where} does not exist; create it, or correct DATABASE_URL.`
    default:
      return `The database ${where} cannot be reached (${error instanceof Error ? error.message : String(error)}); check DATABASE_URL.`
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
    return client
  } catch (cause) {
    throw new MigrationError(whyNotConnected(url, cause), { cause })
  }
}

async function loginOf(client: pg.Client): Promise<{ login: string; database: string }> {
  const { rows } = await client.query<{ login: string; database: string }>(
    'SELECT current_user AS login, current_database() AS database',
  )
  return rows[0] ?? { login: 'the login', database: 'the database' }
}

/** The login may neither make the role nor take it on. */
export async function roleRefused(client: pg.Client, role: string, cause: unknown): Promise<MigrationError> {
  const { login } = await loginOf(client)
  const [quotedRole, quotedLogin] = [pg.escapeIdentifier(role), pg.escapeIdentifier(login)]
  return new MigrationError(
    `The login ${login} may not make or take on the role ${role}; let an administrator run CREATE ROLE ${quotedRole} NOLOGIN; GRANT ${quotedRole} TO ${quotedLogin}; or set DATABASE_ROLE=${login} to do without roles of our own.`,
    { cause },
  )
}

/** The login may not make the schema. */
export async function schemaRefused(
  client: pg.Client,
  schema: string,
  cause: unknown,
): Promise<MigrationError> {
  const { login, database } = await loginOf(client)
  return new MigrationError(
    `The login ${login} may not make the schema ${schema}; let an administrator run GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database)} TO ${pg.escapeIdentifier(login)};`,
    { cause },
  )
}
