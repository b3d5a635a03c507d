import type { TestProject } from 'vitest/node'
import { shareServer } from '#libs/testing/shared-server.js'
import { createTestDatabase } from '#libs/testing/test-database.js'
import { migrateServices } from './harness/migrated-database.js'

async function migrateOne(serverUrl: string) {
  const database = await createTestDatabase('migrated', { serverUrl })
  await migrateServices(database.url)
  return { name: new URL(database.url).pathname.slice(1), stop: () => database.drop() }
}

/** Provides `migratedDatabase`, so that not every system has to run three migrations of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { databaseUrl } = project.getProvidedContext()
  const { server, release } = await shareServer('migrated database', () => migrateOne(databaseUrl))
  project.provide('migratedDatabase', server.name)
  return release
}
