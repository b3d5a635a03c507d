import { messageOf } from '#libs/core/message-of.js'
import { appliedMigrations } from '#libs/postgres/applied-migrations.js'
import { hasNoted, noteFacts } from './data-dir.js'
import { LaunchError } from './launch-error.js'
import { type DatabaseAddresses, type StoredProcess, servingRoleOf } from './processes.js'

/** What an earlier start has brought the database to. */
export interface MigratedState {
  /** Whether this build has nothing to migrate; false if that is not known. */
  isCurrent(): Promise<boolean>
  /**
   * Notes that it has migrated everything.
   * @throws LaunchError if it cannot, which costs only time.
   */
  note(): Promise<void>
}

/** What decides about migrations, in addition to the database. */
export interface Migrating {
  /** Digest of the sources of the build, which its migrations are made of. */
  readonly stamp: string | null
  /** The owner of the schemas, if it is not the login. */
  readonly role: string | null
}

/**
 * Asks the embedded database once, for all services, so that a start with nothing to migrate runs no process for it.
 * Another database may have another owner, and other roles: there, every start migrates.
 */
export function migratedState(
  dataDir: string,
  { url, serving }: DatabaseAddresses,
  services: readonly StoredProcess[],
  { stamp, role }: Migrating,
): MigratedState {
  const schemas = services.map((service) => ({ schema: service, servingRole: servingRoleOf(service) }))
  /** `null` if that is not known. */
  async function facts(): Promise<readonly (string | null)[] | null> {
    if (stamp === null || services.some((service) => serving[service] === undefined)) return null
    const applied = await appliedMigrations(url, schemas)
    return applied === null ? null : [stamp, role, ...applied]
  }
  return {
    async isCurrent() {
      const found = await facts().catch(() => null)
      return found !== null && hasNoted(dataDir, 'migrated', found)
    },
    async note() {
      try {
        const found = await facts()
        if (found !== null) await noteFacts(dataDir, 'migrated', found)
      } catch (error) {
        throw new LaunchError(
          `What was migrated could not be noted in ${dataDir} (${messageOf(error)}), so the next start looks for migrations again.`,
        )
      }
    },
  }
}
