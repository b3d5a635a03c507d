import type { Migration } from '#libs/postgres/migrate.js'
import { createOperatorActs } from '#shared/operator/audit-table.js'

/**
 * Reports, disabled shares, suspended owners, and what operators did. Disabled shares are few, so they have a table of
 * their own instead of a column and an index of `share`. The previous release serves them, and those of suspended
 * owners. No foreign key refers to `share`, as in 0010.
 */
export const reportsAndOperators: Migration = {
  name: '0012-reports-and-operators',
  async up(db) {
    await db.raw(`
      CREATE TABLE disabled_share (
        share_id text COLLATE "C" PRIMARY KEY,
        disabled_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
        data_deleted boolean NOT NULL DEFAULT false
      );
      CREATE INDEX disabled_share_due ON disabled_share (disabled_at) WHERE NOT data_deleted;
      ALTER TABLE owner
        ADD COLUMN suspended_at timestamptz,
        ADD COLUMN suspension_version bigint NOT NULL DEFAULT 0;

      CREATE TABLE share_report (
        id text COLLATE "C" PRIMARY KEY,
        share_id text COLLATE "C" NOT NULL,
        owner_id text COLLATE "C" NOT NULL,
        reason text NOT NULL,
        message text NOT NULL,
        email text NOT NULL,
        reporter bytea NOT NULL,
        times integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
        updated_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
        resolved_at timestamptz,
        note text NOT NULL DEFAULT ''
      );
      CREATE UNIQUE INDEX share_report_of_reporter ON share_report (share_id, reporter) WHERE resolved_at IS NULL;
      CREATE INDEX share_report_of_share ON share_report (share_id, created_at DESC, id DESC);
      CREATE INDEX share_report_newest ON share_report (created_at DESC, id DESC);
      CREATE INDEX share_report_open ON share_report (created_at DESC, id DESC) WHERE resolved_at IS NULL;

      ${createOperatorActs}`)
  },
}
