import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'

/** What an owner calls a snippet. The release before knows nothing of it, and writes none. */
export const snippetNames: Migration = {
  name: '0007-snippet-names',
  async up(db) {
    await db.raw('ALTER TABLE snippet ADD COLUMN name text')
  },
}

/** An owner has one snippet of a name at most. */
export const uniqueSnippetNames = createIndexConcurrently(
  '0008-unique-snippet-names',
  'snippet_name',
  'snippet (owner_id, name) WHERE name IS NOT NULL',
  { unique: true },
)
