import { createIndexConcurrently } from '#libs/postgres/create-index-concurrently.js'
import type { Migration } from '#libs/postgres/migrate.js'
import { createOperatorActs } from '#shared/operator/audit-table.js'

/**
 * What operators did to accounts, and how often each was suspended or resumed, by which other services know the latest
 * state. The previous release suspends without counting.
 */
export const operatorActs: Migration = {
  name: '0009-operator-acts',
  async up(db) {
    await db.raw(`
      ALTER TABLE account ADD COLUMN suspension_version bigint NOT NULL DEFAULT 0;
      ${createOperatorActs}`)
  },
}

/** Operators find accounts by e-mail address in any case. */
export const accountsByEmail = createIndexConcurrently(
  '0010-accounts-by-email',
  'account_email',
  'account (lower(email))',
)
