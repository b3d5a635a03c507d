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

/** Where the database is made, and after what. */
export interface TestDatabaseOptions {
  /** The server that the setup provides unless given. */
  readonly serverUrl?: string
  /** The name of the database that it is a copy of, to which no one is connected; it is empty unless given. */
  readonly template?: string
}

/** Makes a database of its own for a test file. */
export async function createTestDatabase(
  prefix: string,
  { serverUrl = inject('databaseUrl'), template = 'template1' }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await run(
    serverUrl,
    `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template)}`,
  )
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  }
}
