import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'

/** Finds a share that an import has published, by account, former id and content. Its link is as random as any other. */
export const importDigests: Migration = {
  name: '0015-import-digests',
  async up(db) {
    await db.raw('ALTER TABLE share ADD COLUMN IF NOT EXISTS import_digest bytea')
  },
}

export const importedShares = createIndexConcurrently(
  '0016-imported-shares',
  'share_import_digest',
  'share (import_digest) WHERE import_digest IS NOT NULL',
  { unique: true },
)
