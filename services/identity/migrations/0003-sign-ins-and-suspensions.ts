import type { Migration } from '#libs/postgres/migrate.js'

/**
 * The last sign-in, to the day, and suspensions. Existing accounts count as signed in now, so that the migration
 * disables no keys; none of this rewrites the table.
 */
export const signInsAndSuspensions: Migration = {
  name: '0003-sign-ins-and-suspensions',
  async up(db) {
    await db.raw(`
      ALTER TABLE account
        ADD COLUMN signed_in_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN suspended_at timestamptz,
        ADD COLUMN suspension_reason text`)
  },
}
