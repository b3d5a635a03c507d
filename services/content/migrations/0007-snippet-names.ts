import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'

/** The owner's name for a snippet. The previous release ignores it. */
export const snippetNames: Migration = {
  name: '0007-snippet-names',
  async up(db) {
    await db.raw('ALTER TABLE snippet ADD COLUMN name text')
  },
}

/** Names are unique for each owner. */
export const uniqueSnippetNames = createIndexConcurrently(
  '0008-unique-snippet-names',
  'snippet_name',
  'snippet (owner_id, name) WHERE name IS NOT NULL',
  { unique: true },
)
