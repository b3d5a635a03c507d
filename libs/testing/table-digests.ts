import pg from 'pg'

/** The content of a table: its row count and an order-independent digest. */
export interface TableDigest {
  /** With its schema, such as `content.snippet`; `content (definitions)` for columns, indexes and constraints. */
  readonly table: string
  readonly rows: number
  /** SHA-256 in hex. */
  readonly sha256: string
}

type Queryable = Pick<pg.Client, 'query'>

const settings = `SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET statement_timeout = 0`

const ours = `pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema') AND pg_namespace.nspname !~ '^pg_'`

const definitions = `
  SELECT definition.schema || ' (definitions)' AS table, count(*)::integer AS rows,
         encode(sha256(convert_to(string_agg(definition.text, E'\\n' ORDER BY definition.text), 'UTF8')), 'hex') AS sha256
    FROM (
      SELECT pg_namespace.nspname AS schema, pg_get_indexdef(pg_class.oid) AS text
        FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
       WHERE pg_class.relkind = 'i' AND ${ours}
      UNION ALL
      SELECT pg_namespace.nspname, pg_constraint.conrelid::regclass || ' ' || pg_constraint.conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
        FROM pg_constraint JOIN pg_namespace ON pg_namespace.oid = pg_constraint.connamespace WHERE ${ours}
      UNION ALL
      SELECT pg_namespace.nspname, concat_ws(' ', pg_class.relname, pg_attribute.attname,
               format_type(pg_attribute.atttypid, pg_attribute.atttypmod), pg_attribute.attnotnull, pg_get_userbyid(pg_class.relowner))
        FROM pg_attribute JOIN pg_class ON pg_class.oid = pg_attribute.attrelid
        JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
       WHERE pg_attribute.attnum > 0 AND NOT pg_attribute.attisdropped AND pg_class.relkind = 'r' AND ${ours}
    ) AS definition
   GROUP BY definition.schema`

async function tables(client: Queryable): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(pg_namespace.nspname) || '.' || quote_ident(pg_class.relname) AS name
       FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
      WHERE pg_class.relkind IN ('r', 'p') AND ${ours} ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** The content of every table of a database, in the transaction of this session. */
export async function digestsOf(client: Queryable): Promise<readonly TableDigest[]> {
  await client.query(settings)
  const digests: TableDigest[] = []
  for (const table of await tables(client)) {
    const { rows } = await client.query<Omit<TableDigest, 'table'>>(
      `SELECT count(*)::integer AS rows,
              encode(sha256(coalesce(string_agg(one.digest, ''::bytea ORDER BY one.digest), ''::bytea)), 'hex') AS sha256
         FROM (SELECT sha256(convert_to(held::text, 'UTF8')) AS digest FROM ${table} AS held) AS one`,
    )
    for (const row of rows) digests.push({ table, ...row })
  }
  const { rows } = await client.query<TableDigest>(definitions)
  return [...digests, ...rows].toSorted((one, other) => (one.table < other.table ? -1 : 1))
}

/** Runs something with a session and closes it. */
export async function withSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The current content of the database. */
export function readDigests(url: string): Promise<readonly TableDigest[]> {
  return withSession(url, digestsOf)
}

/**
 * The content of the database in one snapshot, while writes continue; `work` runs in the same snapshot.
 * @param work gets the name of the snapshot, for `pg_dump --snapshot`.
 */
export function atOneMoment(
  url: string,
  work: (snapshot: string) => Promise<void>,
): Promise<readonly TableDigest[]> {
  return withSession(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const { rows } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot')
    await work(rows[0]?.snapshot ?? '')
    const digests = await digestsOf(client)
    await client.query('COMMIT')
    return digests
  })
}

/**
 * Creates a restore point at which a recovery can end, and returns the content at it; writers wait meanwhile.
 */
export function nameMoment(url: string, name: string): Promise<readonly TableDigest[]> {
  return withSession(url, async (client) => {
    await client.query('BEGIN')
    await client.query(`LOCK TABLE ${(await tables(client)).join(', ')} IN SHARE MODE`)
    const digests = await digestsOf(client)
    await client.query('SELECT pg_create_restore_point($1)', [name])
    await client.query('COMMIT')
    return digests
  })
}
