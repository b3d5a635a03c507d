import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** The rows of a query to the embedded database of a data folder, as its superuser. */
export async function asSuperuser(dataDir: string, query: string): Promise<readonly unknown[]> {
  const [password, at] = await Promise.all(
    ['password', 'port'].map(async (name) =>
      (await readFile(join(dataDir, 'postgres', name), 'utf8')).trim(),
    ),
  )
  const client = new pg.Client({
    connectionString: `postgres://snipkeep:${password}@127.0.0.1:${at}/postgres`,
  })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

/** The roles of services' sessions, and how many relations each owns. */
export const loginsThatServe = `
  SELECT DISTINCT pg_roles.rolname AS login, pg_roles.rolsuper AS superuser,
         (SELECT count(*)::integer FROM pg_class WHERE pg_class.relowner = pg_roles.oid) AS owned
    FROM pg_stat_activity JOIN pg_roles ON pg_roles.oid = pg_stat_activity.usesysid
   WHERE pg_stat_activity.application_name LIKE 'snipkeep-%' ORDER BY 1`
