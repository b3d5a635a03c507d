import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database for one test file. */
export interface TestDatabase {
  readonly url: string
  /** Drops the database and disconnects its sessions. */
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

/** Where and from what the database is created. */
export interface TestDatabaseOptions {
  /** Defaults to the server that the setup provides. */
  readonly serverUrl?: string
  /** The database to copy, which no one may be connected to; empty by default. */
  readonly template?: string
}

/** Creates a database for a test file. */
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
