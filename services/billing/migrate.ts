import type { Environment } from '#libs/config/read-variables.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { say } from '#libs/runtime/run-command.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { billing } from './migrations/0001-billing.js'
import { deliveryAge } from './migrations/0002-delivery-age.js'
import { planGrants } from './migrations/0003-plan-grants.js'
import { erasedAccounts } from './migrations/0004-erased-accounts.js'
import { auditOutbox } from './migrations/0005-audit-outbox.js'

/** The migrations of the schema, in order. */
export const migrations: readonly Migration[] = [
  billing,
  deliveryAge,
  planGrants,
  erasedAccounts,
  auditOutbox,
]

/** Migrates the schema, and prints what it did. */
export async function migrateSchema(env: Environment): Promise<void> {
  await migrate(readDatabaseConfig('billing', env), migrations, say)
}
