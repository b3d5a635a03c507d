import { readFile } from 'node:fs/promises'
import type { Environment } from '#libs/config/read-variables.js'
import { appliedMigrations } from '#libs/postgres/applied-migrations.js'
import { hasNoted, noteFacts } from './data-dir.js'
import { type DatabaseAddresses, type StoredProcess, servingRoleOf } from './processes.js'

/** Digest of the sources of this build, which its migrations are made of. */
const stampFile = new URL('../../.stamp', import.meta.url)

/** What an earlier start has brought the database to. */
export interface MigratedState {
  /** Whether this build has nothing to migrate. */
  isCurrent(): Promise<boolean>
  /** Notes that it has migrated everything. */
  note(): Promise<void>
}

/**
 * Asks the embedded database once, for all services, so that a start with nothing to migrate runs no process for it.
 * Another database may have another owner, and other roles: there, every start migrates.
 */
export function migratedState(
  dataDir: string,
  { url, serving }: DatabaseAddresses,
  services: readonly StoredProcess[],
  env: Environment,
): MigratedState {
  const schemas = services.map((service) => ({ schema: service, servingRole: servingRoleOf(service) }))
  /** `null` if that is not known. */
  async function facts(): Promise<readonly (string | null)[] | null> {
    if (services.some((service) => serving[service] === undefined)) return null
    const stamp = await readFile(stampFile, 'utf8').catch(() => null)
    const applied = stamp === null ? null : await appliedMigrations(url, schemas)
    return applied === null ? null : [stamp, env.DATABASE_ROLE ?? null, ...applied]
  }
  return {
    async isCurrent() {
      const found = await facts()
      return found !== null && hasNoted(dataDir, 'migrated', found)
    },
    async note() {
      const found = await facts()
      if (found !== null) await noteFacts(dataDir, 'migrated', found)
    },
  }
}
