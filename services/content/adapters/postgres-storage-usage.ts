import { firstRow, type Pool } from '#libs/postgres/pool.js'
import type { StorageUsage } from '../document-ports.js'

/** Storage usage, as the triggers of migration 0005 count it. */
export function postgresStorageUsage(pool: Pool): StorageUsage {
  return {
    async storedBytes(ownerId) {
      const text = 'SELECT owner.stored_bytes FROM owner WHERE owner.owner_id = $1'
      const statement = { name: 'stored-bytes', text, values: [ownerId] }
      return Number((await firstRow<{ stored_bytes: string }>(pool, statement))?.stored_bytes ?? 0)
    },
  }
}
