import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'
import { createErasureLedger, letActsBeErased } from '#shared/erasure/erasure-ledger.js'

/**
 * Closing accounts, what other services have to do for them, and what is kept of erased ones: the digests of their ids.
 * No key refers to `account`, as in 0008. The previous release serves a closing account as usual.
 */
export const accountErasure: Migration = {
  name: '0011-account-erasure',
  async up(db) {
    await db.raw(`
      ALTER TABLE account ADD COLUMN erase_after timestamptz, ADD COLUMN erasing_at timestamptz;

      CREATE TABLE account_step (
        account_id text COLLATE "C" NOT NULL,
        service text NOT NULL,
        state text NOT NULL CHECK (state IN ('closed', 'open', 'erased')),
        version bigint NOT NULL,
        due_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, service)
      );
      CREATE INDEX account_step_due ON account_step (service, due_at);

      CREATE TABLE erasure_receipt (
        account_digest bytea NOT NULL,
        service text NOT NULL,
        done_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
        PRIMARY KEY (account_digest, service)
      );
      ${createErasureLedger}
      ${letActsBeErased}`)
  },
}

/** Few accounts are closing at a time. */
export const closingAccounts = createIndexConcurrently(
  '0012-closing-accounts',
  'account_closing',
  'account (erase_after) WHERE erase_after IS NOT NULL',
)
