import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import pg from 'pg'
import { errorCode } from './errors.js'
import { servingRoleRefused } from './migration-error.js'

/** Whose schema is served by whom. */
export interface Serving {
  readonly schema: string
  readonly role: string | null
  readonly servingRole?: string | null
}

const insufficientPrivilege = '42501'
/** What a rival leaves behind that made the role since our look. */
const madeMeanwhile = /^(23505|42710)$/

/** The role that serves where it is another than the owner; `null` for none. */
function apart({ role, servingRole }: Serving): string | null {
  return servingRole === undefined || servingRole === role ? null : servingRole
}

/**
 * Makes the role that serves, if it is missing: one that nobody logs in as, for logins to be members of.
 * @throws MigrationError with what an administrator has to run when this login may not make it.
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

/**
 * Lets the role that serves read and write every table of the schema, those too that later migrations make. What was
 * migrated it may only read. The session must be the owner's.
 */
export async function letServe(db: Knex, serving: Serving): Promise<void> {
  const servingRole = apart(serving)
  if (servingRole === null) return
  const [schema, role] = [serving.schema, servingRole].map((name) => pg.escapeIdentifier(name))
  const dml = 'SELECT, INSERT, UPDATE, DELETE'
  await db.transaction(async (tx) => {
    for (const statement of [
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT ${dml} ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT ${dml} ON TABLES TO ${role}`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON migrations, migrations_lock FROM ${role}`,
    ])
      await tx.raw(statement)
  })
}

/**
 * Makes logins that serve, each under a new password, on a server of our own.
 * @param url of a superuser.
 * @returns the address that each of the roles logs in at, in their order.
 */
export async function makeServingLogins(url: string, roles: readonly string[]): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    // Nobody but the superuser makes anything outside of the schemas.
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
