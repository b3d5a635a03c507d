import type { Migration } from './migrate.js'

/**
 * A migration that makes an index while everybody goes on writing, for tables that have grown. It runs without a
 * transaction, and a run that is killed leaves an invalid index behind, so it first drops what is there by that name.
 * It may wait as long as the oldest transaction of the database lasts (a dump, for instance), and nobody waits for it.
 * @param definition what stands behind `CREATE INDEX name ON`, such as `snippet (owner_id)`.
 */
export function createIndexConcurrently(
  name: string,
  index: string,
  definition: string,
  { unique = false }: { readonly unique?: boolean } = {},
): Migration {
  return {
    name,
    config: { transaction: false },
    async up(db) {
      await db.raw('SET lock_timeout = 0')
      try {
        await db.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
        await db.raw(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${index} ON ${definition}`)
      } finally {
        await db.raw('RESET lock_timeout')
      }
    },
  }
}
