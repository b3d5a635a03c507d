import { firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { StorageUsage } from '../document-ports.js'
import type { PlanVersions } from '../ports.js'

const storedBytes = statement('stored-bytes')(`
  SELECT owner.stored_bytes::float8 AS bytes FROM owner WHERE owner.owner_id = $1`)

/** Storage usage, as the triggers of migration 0005 count it. */
export function postgresStorageUsage(pool: Pool): StorageUsage {
  return {
    storedBytes: async (owner) => (await firstRow<{ bytes: number }>(pool, storedBytes(owner)))?.bytes ?? 0,
  }
}

const find = statement('plan-version')(`
  SELECT owner.plan_version::float8 AS version FROM owner WHERE owner.owner_id = $1`)

const note = statement('plan-note')(`
  INSERT INTO owner (owner_id, plan_version) VALUES ($1, $2)
  ON CONFLICT (owner_id) DO UPDATE SET plan_version = greatest(owner.plan_version, excluded.plan_version)`)

/** The versions of owners' plans in Postgres. */
export function postgresPlanVersions(pool: Pool): PlanVersions {
  return {
    find: async (owner) => (await firstRow<{ version: number }>(pool, find(owner)))?.version ?? 0,
    async note(owner, version) {
      await query(pool, note(owner, version))
    },
  }
}
