import { type Environment, readVariables } from '#libs/config/read-variables.js'
import { integer, optional, secret, text } from '#libs/config/variables.js'

const variables = {
  PG_BIN: optional(text('The folder of initdb, postgres, pg_dump, pg_restore and pg_basebackup.')),
  DATABASE_URL: optional(secret(text('A server to drill on, as a login that may create databases.'))),
  DRILL_SNIPPETS: integer(
    'How many snippets are written before the backup, and again after it.',
    { min: 2 },
    500,
  ),
}

/** The configuration of the drill. */
export interface DrillConfig {
  /** `null` for the programs on PATH. */
  readonly programs: string | null
  /** `null` for a temporary server, on which point-in-time recovery is tested as well. */
  readonly databaseUrl: string | null
  readonly snippets: number
}

/**
 * Reads the configuration of the drill.
 * @throws ConfigError that lists every problem.
 */
export function readConfig(env: Environment): DrillConfig {
  const values = readVariables(variables, env)
  return { programs: values.PG_BIN, databaseUrl: values.DATABASE_URL, snippets: values.DRILL_SNIPPETS }
}
