import type { Environment } from '#libs/config/read-variables.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { say } from '#libs/runtime/run-command.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { history } from './migrations/0001-history.js'
import { erasedOwners } from './migrations/0002-erased-owners.js'
import { vacuumActivitySooner } from './migrations/0003-vacuum-sooner.js'

/** The migrations of the schema, in order. */
export const migrations: readonly Migration[] = [history, erasedOwners, vacuumActivitySooner]

/** Migrates the schema, and prints what it did. */
export async function migrateSchema(env: Environment): Promise<void> {
  await migrate(readDatabaseConfig('activity', env), migrations, say)
}
