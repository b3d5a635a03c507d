import { integer, optional, secret, text, type Values } from '../config/variables.js'
import type { PoolOptions } from './pool.js'

/**
 * A URL of one host. The driver would take several for one name and ignore `target_session_attrs`, so that a process
 * could never connect, or stay with a standby.
 */
function databaseUrl(raw: string): string {
  const hosts = /^[^:]*:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(raw)?.[1]
  const oneHost = new Error(
    'a URL of one host, without target_session_attrs: for several, name a proxy or a service address that finds the primary (docs/growing.md)',
  )
  if (hosts?.includes(',')) throw oneHost
  // The driver takes a login without a host, for a socket's folder in `host`; a URL proper needs one.
  const proper = raw.replace('@/', '@localhost/')
  if (!/^(postgres(ql)?|socket):/.test(raw) || !URL.canParse(proper))
    throw new Error('a URL such as postgres://user:password@host:5432/database')
  const { searchParams } = new URL(proper)
  const wanted = searchParams.get('target_session_attrs') ?? 'any'
  if (searchParams.get('host')?.includes(',') || wanted !== 'any') throw oneHost
  return raw
}

/** Longer statements would outlast the deadlines of callers. */
const statementTimeoutMs = 4_000

/** The database variables of a process; `role` is the default of `DATABASE_ROLE`. */
export function postgresVariables(role: string) {
  return {
    DATABASE_URL: secret({
      ...text('The Postgres database, as a `postgres://` URL of one host.'),
      parse: databaseUrl,
    }),
    DATABASE_ROLE: text('The role that owns the schema. Migrations run as this role.', role),
    DATABASE_SERVING_ROLE: optional(
      text(
        'The role for serving requests. It can read and write rows but not change the schema. `migrate` grants its rights.',
      ),
      '`DATABASE_ROLE`',
    ),
    DATABASE_POOL_MAX: integer('Maximum database connections of the process.', { min: 2, max: 1_000 }, 10),
  }
}

/** The pool options in these variables, for a service's own schema. */
export function databaseOptions(
  values: Values<ReturnType<typeof postgresVariables>>,
  schema: string,
): PoolOptions {
  return {
    url: values.DATABASE_URL,
    schema,
    role: values.DATABASE_ROLE,
    servingRole: values.DATABASE_SERVING_ROLE,
    connectionsMax: values.DATABASE_POOL_MAX,
    statementTimeoutMs,
  }
}
