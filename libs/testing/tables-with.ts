import type pg from 'pg'

/** A pool or client. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
}

/** The tables that this login may read with a row that contains one of these texts, also within bytes. */
export async function tablesWith(db: Queryable, texts: readonly string[]): Promise<readonly string[]> {
  const tables: pg.QueryResult<{ name: string }> = await db.query(
    `SELECT pg_class.oid::regclass::text AS name FROM pg_class
       JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
     WHERE pg_class.relkind = 'r' AND pg_namespace.nspname !~ '^(pg_|information_schema)'
       AND has_schema_privilege(pg_namespace.oid, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
     ORDER BY 1`,
  )
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
  const found: string[] = []
  for (const { name } of tables.rows) {
    const statement = `SELECT FROM ${name} AS one WHERE EXISTS (
      SELECT FROM unnest($1::text[]) AS wanted (text) WHERE strpos(one::text, wanted.text) > 0) LIMIT 1`
    if ((await db.query(statement, [wanted])).rowCount !== 0) found.push(name)
  }
  return found
}
