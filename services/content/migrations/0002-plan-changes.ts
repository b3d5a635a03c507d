import type { Migration } from '#libs/postgres/migrate.js'

/** Separate, repeatable statements; only the last one reads the table, without blocking writers. */
const statements = [
  'ALTER TABLE owner ADD COLUMN IF NOT EXISTS plan_version bigint NOT NULL DEFAULT 0',
  `ALTER TABLE share ADD COLUMN IF NOT EXISTS expiry_by text NOT NULL DEFAULT 'plan'`,
  `ALTER TABLE share DROP CONSTRAINT IF EXISTS share_expiry_by_check,
     ADD CONSTRAINT share_expiry_by_check CHECK (expiry_by IN ('plan', 'owner')) NOT VALID`,
  'ALTER TABLE share VALIDATE CONSTRAINT share_expiry_by_check',
]

/** The origin of an expiry, and the newest known plan of an owner. */
export const planChanges: Migration = {
  name: '0002-plan-changes',
  config: { transaction: false },
  async up(db) {
    for (const statement of statements) await db.raw(statement)
  },
}
