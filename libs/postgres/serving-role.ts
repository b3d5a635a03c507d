import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { errorCode } from './errors.js'
import { servingRoleRefused } from './migration-error.js'

/** The schema and roles of a service. */
export interface Serving {
  readonly schema: string
  readonly role: string | null
  readonly servingRole?: string | null
}

const insufficientPrivilege = '42501'
/** Another run created the role since our check. */
const madeMeanwhile = /^(23505|42710)$/

/** The serving role if it differs from the owner; `null` for none. */
function apart({ role, servingRole }: Serving): string | null {
  return servingRole === undefined || servingRole === role ? null : servingRole
}

/**
 * Creates the serving role if it is missing: without login, for logins to be members of.
 * @throws MigrationError with the statement for an administrator if this login may not create it.
 */
export async function ensureServingRole(client: pg.Client, serving: Serving): Promise<void> {
  const servingRole = apart(serving)
  if (servingRole === null) return
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE pg_roles.rolname = $1', [servingRole])
  if (rowCount !== 0) return
  try {
    await client.query(`CREATE ROLE ${pg.escapeIdentifier(servingRole)} NOLOGIN`)
  } catch (error) {
    if (errorCode(error) === insufficientPrivilege) throw await servingRoleRefused(client, servingRole, error)
    if (!madeMeanwhile.test(errorCode(error) ?? '')) throw error
  }
}

/** Does `work` in this session as the owner of the schema, in one transaction. */
export async function asOwner<Result>(
  client: pg.Client,
  { role }: Pick<Serving, 'role'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (role === null) return work()
  await client.query(`BEGIN; SET LOCAL ROLE ${pg.escapeIdentifier(role)}`)
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * Lets the serving role read and write every table of the schema, including those of later migrations. The list of
 * migrations is read-only for it. The session must be the owner's.
 */
export async function letServe(client: pg.Client, serving: Serving): Promise<void> {
  const servingRole = apart(serving)
  if (servingRole === null) return
  const [schema, role] = [serving.schema, servingRole].map((name) => pg.escapeIdentifier(name))
  const dml = 'SELECT, INSERT, UPDATE, DELETE'
  // Several statements in one query are one transaction.
  await client.query(
    [
      `SET LOCAL lock_timeout = 2000`,
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT ${dml} ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${dml} ON TABLES TO ${role}`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON ${schema}.migrations, ${schema}.migrations_lock FROM ${role}`,
    ].join('; '),
  )
}

/**
 * Creates logins for serving, each with a new password, on an embedded server.
 * @param url of a superuser.
 * @returns the URL of each login, in the order of the roles.
 */
export async function makeServingLogins(url: string, roles: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    // Only the superuser may create anything outside the schemas.
    const database = pg.escapeIdentifier(client.database ?? 'postgres')
    await client.query(`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`)
    const addresses: string[] = []
    for (const role of roles) {
      const password = randomBytes(24).toString('base64url')
      await ensureServingRole(client, { schema: '', role: null, servingRole: role })
      await client.query(
        `ALTER ROLE ${pg.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${pg.escapeLiteral(password)}`,
      )
      const address = new URL(url)
      Object.assign(address, { username: role, password })
      addresses.push(address.href)
    }
    return addresses
  } finally {
    await client.end()
  }
}
