import type { Migration } from '#libs/postgres/migrate.js'

/** Separate, repeatable statements; only the last one reads the table, without blocking writers. */
const statements = [
  `ALTER TABLE api_key DROP CONSTRAINT IF EXISTS api_key_scopes_check,
     ADD CONSTRAINT api_key_scopes_check
       CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read', 'write', 'approve']) NOT VALID`,
  'ALTER TABLE api_key VALIDATE CONSTRAINT api_key_scopes_check',
]

/** API keys may approve; trusted publishers may not. */
export const approveScope: Migration = {
  name: '0015-approve-scope',
  config: { transaction: false },
  async up(db) {
    for (const statement of statements) await db.raw(statement)
  },
}
