import type { Migration } from '#libs/postgres/migrate.js'

/**
 * When somebody last signed in, to the day, and whether an operator has suspended the account. Whoever had an account
 * before counts as signed in now, so that nobody's keys fall asleep by the migration; none of this rewrites the table.
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
