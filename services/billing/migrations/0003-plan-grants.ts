import type { Migration } from '#libs/postgres/migrate.js'
import { createOperatorActs } from '#shared/operator/audit-table.js'

/**
 * Plans that operators gave by hand, and what they did. The previous release ignores grants: it takes Pro away from an
 * account with a manual plan if its subscription ends meanwhile.
 */
export const planGrants: Migration = {
  name: '0003-plan-grants',
  async up(db) {
    await db.raw(`
      CREATE TABLE plan_grant (
        account_id text COLLATE "C" PRIMARY KEY,
        until timestamptz NOT NULL,
        look_at timestamptz NOT NULL
      );
      CREATE INDEX plan_grant_due ON plan_grant (look_at);
      ALTER TABLE plan_delivery
        ADD COLUMN granted_until timestamptz,
        ADD COLUMN message text NOT NULL DEFAULT '',
        ADD COLUMN shown_as text;

      ${createOperatorActs}`)
  },
}
