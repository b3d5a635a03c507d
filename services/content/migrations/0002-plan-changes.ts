import type { Migration } from '#libs/postgres/migrate.js'

/** Each by itself, and may come again; only the last one reads the table, and it keeps no writer waiting. */
const statements = [
  'ALTER TABLE owner ADD COLUMN IF NOT EXISTS plan_version bigint NOT NULL DEFAULT 0',
  `ALTER TABLE share ADD COLUMN IF NOT EXISTS expiry_by text NOT NULL DEFAULT 'plan'`,
  `ALTER TABLE share DROP CONSTRAINT IF EXISTS share_expiry_by_check,
     ADD CONSTRAINT share_expiry_by_check CHECK (expiry_by IN ('plan', 'owner')) NOT VALID`,
  'ALTER TABLE share VALIDATE CONSTRAINT share_expiry_by_check',
]

/** Whose wish an expiry is, and the newest plan that an owner is known to hold. */
export const planChanges: Migration = {
  name: '0002-plan-changes',
  config: { transaction: false },
  async up(db) {
    for (const statement of statements) await db.raw(statement)
  },
}
