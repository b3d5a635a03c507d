import type { Migration } from '#libs/postgres/migrate.js'

/** Whose wish an expiry is, and the newest plan that an owner is known to hold. */
export const planChanges: Migration = {
  name: '0002-plan-changes',
  async up(db) {
    await db.raw(`
      ALTER TABLE owner ADD COLUMN plan_version bigint NOT NULL DEFAULT 0;
      ALTER TABLE share ADD COLUMN expiry_by text NOT NULL DEFAULT 'plan' CHECK (expiry_by IN ('plan', 'owner'))`)
  },
}
