import type { Environment } from '#libs/config/read-variables.js'
import { type Migration, migrate } from '#libs/postgres/migrate.js'
import { say } from '#libs/runtime/run-command.js'
import { readDatabaseConfig } from '#libs/service/service-config.js'
import { content } from './migrations/0001-content.js'
import { planChanges } from './migrations/0002-plan-changes.js'
import { newestLiveShares } from './migrations/0003-newest-live-shares.js'
import { newestPurgedShares } from './migrations/0004-newest-purged-shares.js'
import { storedBytes } from './migrations/0005-stored-bytes.js'
import { titledTombstones } from './migrations/0006-titled-tombstones.js'
import { snippetNames, uniqueSnippetNames } from './migrations/0007-snippet-names.js'
import { snippetRevisions } from './migrations/0009-snippet-revisions.js'
import { eventDeliveries } from './migrations/0010-event-deliveries.js'
import { reportsAndOperators } from './migrations/0012-reports-and-operators.js'
import { shareGates } from './migrations/0013-share-gates.js'
import { erasedOwners } from './migrations/0014-erased-owners.js'
import { importDigests, importedShares } from './migrations/0015-imported-shares.js'
import { oldTombstones, vacuumContentSooner } from './migrations/0017-old-tombstones.js'
import { auditOutbox } from './migrations/0019-audit-outbox.js'
import { contractsAndChecks, vacuumChecksSooner } from './migrations/0020-contracts.js'

/** The migrations of the schema, in order. */
export const migrations: readonly Migration[] = [
  content,
  planChanges,
  newestLiveShares,
  newestPurgedShares,
  storedBytes,
  titledTombstones,
  snippetNames,
  uniqueSnippetNames,
  snippetRevisions,
  eventDeliveries,
  reportsAndOperators,
  shareGates,
  erasedOwners,
  importDigests,
  importedShares,
  oldTombstones,
  vacuumContentSooner,
  auditOutbox,
  contractsAndChecks,
  vacuumChecksSooner,
]

/** Migrates the schema, and prints what it did. */
export async function migrateSchema(env: Environment): Promise<void> {
  await migrate(readDatabaseConfig('content', env), migrations, say)
}
