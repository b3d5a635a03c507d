import { integer, optional, secret, text, type Values } from '../config/variables.js'
import type { PoolOptions } from './pool.js'

/** The database variables of a process; `role` is the default of `DATABASE_ROLE`. */
export function postgresVariables(role: string) {
  return {
    DATABASE_URL: secret(text('The Postgres database, as a `postgres://` URL.')),
    DATABASE_ROLE: text('The role that owns the schema. Migrations run as this role.', role),
    DATABASE_SERVING_ROLE: optional(
      text(
        'The role for serving requests. It can read and write rows but not change the schema. `migrate` grants its rights.',
      ),
      '`DATABASE_ROLE`',
    ),
    DATABASE_POOL_MAX: integer('Maximum database connections of the process.', { min: 2, max: 1_000 }, 10),
    DATABASE_STATEMENT_TIMEOUT_MS: integer('Statement timeout in milliseconds.', { min: 100 }, 4_000),
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
    statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
  }
}
