import { inject } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#libs/testing/test-database.js'
import { pepper } from './common-env.js'
import { migrate } from './system-process.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that is copied for the systems of a test run. */
    migratedDatabase: string
  }
}

/** Migrates the services that every system has, by their `migrate` command. */
export async function migrateServices(databaseUrl: string, keepsOutput = true): Promise<void> {
  for (const service of ['content', 'identity', 'activity']) {
    const env = { DATABASE_URL: databaseUrl, API_KEY_PEPPER: pepper }
    await migrate(`dist/services/${service}/main.js`, env, keepsOutput)
  }
}

/** A migrated database: on `serverUrl` if given, else a copy on the test run's server. */
export async function createMigratedDatabase(serverUrl?: string, keepsOutput = true): Promise<TestDatabase> {
  if (serverUrl === undefined) return createTestDatabase('e2e', { template: inject('migratedDatabase') })
  const database = await createTestDatabase('e2e', { serverUrl })
  await migrateServices(database.url, keepsOutput)
  return database
}
