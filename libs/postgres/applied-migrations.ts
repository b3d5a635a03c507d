import pg from 'pg'
import { errorCode } from './errors.js'

/** A schema, and the role that serves from it. */
export interface ServedSchema {
  readonly schema: string
  readonly servingRole: string
}

/** The table or schema does not exist, or this login may not read it. */
const notThere = /^(42P01|3F000|42501)$/

/**
 * Which migrations were applied, of several schemas at once.
 * @returns their names after those of their schemas; `null` if a schema has none, or its role may not read its tables.
 */
export async function appliedMigrations(
  url: string,
  schemas: readonly ServedSchema[],
): Promise<readonly string[] | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const applied = schemas.map(
      ({ schema }) =>
        `SELECT ${pg.escapeLiteral(`${schema}.`)} || name AS name FROM ${pg.escapeIdentifier(schema)}.migrations`,
    )
    const { rows } = await client.query<{ applied: readonly string[]; refused: boolean }>(
      `SELECT ARRAY(SELECT all_applied.name FROM (${applied.join(' UNION ALL ')}) AS all_applied ORDER BY 1) AS applied,
              EXISTS (SELECT FROM unnest($1::text[], $2::text[]) AS served (schema, role)
                        JOIN pg_namespace ON pg_namespace.nspname = served.schema
                        JOIN pg_class ON pg_class.relnamespace = pg_namespace.oid AND pg_class.relkind = 'r'
                       WHERE NOT has_table_privilege(served.role, pg_class.oid, 'SELECT')) AS refused`,
      [schemas.map(({ schema }) => schema), schemas.map(({ servingRole }) => servingRole)],
    )
    const found = rows[0]
    return found === undefined || found.refused ? null : found.applied
  } catch (error) {
    if (notThere.test(errorCode(error) ?? '')) return null
    throw error
  } finally {
    await client.end()
  }
}
