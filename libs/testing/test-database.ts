import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string
  /** Removes the database, and whoever is still connected to it. */
  drop(): Promise<void>
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes an empty database on the server that the setup provides, or on the one of `serverUrl`. */
export async function createTestDatabase(
  prefix: string,
  serverUrl: string = inject('databaseUrl'),
): Promise<TestDatabase> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await run(serverUrl, `CREATE DATABASE ${pg.escapeIdentifier(name)}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  }
}
