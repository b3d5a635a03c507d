import pg from 'pg'
import { errorCode } from './errors.js'

/** A schema, and the role that serves from it. */
export interface ServedSchema {
  readonly schema: string
  readonly servingRole: string
}

/** The table or schema does not exist, or this login may not read it. */
const notThere = /^(42P01|3F000|42501)$/

/** What the serving role misses of what `letServe` grants. */
const refused = `
  SELECT FROM unnest($1::text[], $2::text[]) AS served (schema, role)
         JOIN pg_namespace ON pg_namespace.nspname = served.schema
         JOIN pg_class ON pg_class.relnamespace = pg_namespace.oid
   WHERE NOT has_schema_privilege(served.role, pg_namespace.oid, 'USAGE')
      OR CASE WHEN pg_class.relkind = 'S'
              THEN NOT (has_sequence_privilege(served.role, pg_class.oid, 'USAGE')
                        AND has_sequence_privilege(served.role, pg_class.oid, 'SELECT'))
              WHEN pg_class.relkind NOT IN ('r', 'p') THEN false
              WHEN pg_class.relname IN ('migrations', 'migrations_lock')
              THEN NOT has_table_privilege(served.role, pg_class.oid, 'SELECT')
              ELSE NOT (has_table_privilege(served.role, pg_class.oid, 'SELECT')
                        AND has_table_privilege(served.role, pg_class.oid, 'INSERT')
                        AND has_table_privilege(served.role, pg_class.oid, 'UPDATE')
                        AND has_table_privilege(served.role, pg_class.oid, 'DELETE'))
         END`

/**
 * Which migrations were applied, of several schemas at once.
 * @returns their names after those of their schemas; `null` if a schema has none, or its role lacks a privilege in it.
 * @throws Error also after `timeoutMs`: a migration of another system may hold a lock on the tables.
 */
export async function appliedMigrations(
  url: string,
  schemas: readonly ServedSchema[],
  timeoutMs = 10_000,
): Promise<readonly string[] | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // A connection that breaks fails the query as well.
  client.on('error', () => {})
  await client.connect()
  try {
    const applied = schemas.map(
      ({ schema }) =>
        `SELECT ${pg.escapeLiteral(`${schema}.`)} || name AS name FROM ${pg.escapeIdentifier(schema)}.migrations`,
    )
    const { rows } = await client.query<{ applied: readonly string[]; refused: boolean }>(
      `SELECT ARRAY(SELECT all_applied.name FROM (${applied.join(' UNION ALL ')}) AS all_applied ORDER BY 1) AS applied,
              EXISTS (${refused}) AS refused`,
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
