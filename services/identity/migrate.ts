import type { Environment } from '#libs/config/read-variables.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { say } from '#libs/runtime/run-command.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { accounts } from './migrations/0001-accounts.js'
import { apiKeys } from './migrations/0002-api-keys.js'
import { signInsAndSuspensions } from './migrations/0003-sign-ins-and-suspensions.js'
import { profilesByAge } from './migrations/0004-profiles-by-age.js'
import { apiKeySecrets } from './migrations/0005-api-key-secrets.js'
import { events } from './migrations/0006-events.js'
import { trustedPublishers } from './migrations/0008-trusted-publishers.js'
import { accountsByEmail, operatorActs } from './migrations/0009-operator-acts.js'
import { accountErasure, closingAccounts } from './migrations/0011-account-erasure.js'
import { expiringApiKeys, vacuumIdentitySooner } from './migrations/0013-expiring-api-keys.js'
import { approveScope } from './migrations/0015-approve-scope.js'

/** The migrations of the schema, in order. */
export const migrations: readonly Migration[] = [
  accounts,
  apiKeys,
  signInsAndSuspensions,
  profilesByAge,
  apiKeySecrets,
  events,
  trustedPublishers,
  operatorActs,
  accountsByEmail,
  accountErasure,
  closingAccounts,
  expiringApiKeys,
  vacuumIdentitySooner,
  approveScope,
]

/** Migrates the schema, and prints what it did. */
export async function migrateSchema(env: Environment): Promise<void> {
  await migrate(readDatabaseConfig('identity', env), migrations, say)
}
