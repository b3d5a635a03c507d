import type { Migration } from './migrate.js'

/**
 * A migration that creates an index on a grown table without blocking writes. It runs without a transaction, and a
 * killed run leaves an invalid index behind, so it first drops any index of that name. It may wait as long as the
 * oldest transaction of the database (a dump, for instance), but blocks no one.
 * @param definition what follows `CREATE INDEX name ON`, such as `snippet (owner_id)`.
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
