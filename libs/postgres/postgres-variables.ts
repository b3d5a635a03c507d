import { integer, optional, secret, text, type Values } from '../config/variables.js'
import type { PoolOptions } from './pool.js'

/** How a process reaches its database; `role` is the default of `DATABASE_ROLE`. */
export function postgresVariables(role: string) {
  return {
    DATABASE_URL: secret(text('The Postgres database, as a `postgres://` URL.')),
    DATABASE_ROLE: text('The role that owns the schema, and that migrations take on.', role),
    DATABASE_SERVING_ROLE: optional(
      text(
        'The role that sessions take on while they serve: it reads and writes what is in the schema, and can change nothing of the schema itself. `migrate` gives it these rights.',
      ),
      '`DATABASE_ROLE`',
    ),
    DATABASE_POOL_MAX: integer('Connections that the process opens at most.', { min: 2, max: 1_000 }, 10),
    DATABASE_STATEMENT_TIMEOUT_MS: integer(
      'Milliseconds after which a statement is given up.',
      { min: 100 },
      4_000,
    ),
  }
}

/** The sessions that these variables describe, in a service's own schema. */
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
