import type { Migration } from '#libs/postgres/migrate.js'

/** Accounts, by issuer and subject in the "C" collation, which compares byte for byte. */
export const accounts: Migration = {
  name: '0001-accounts',
  async up(db) {
    await db.raw(`
      CREATE TABLE account (
        id text COLLATE "C" PRIMARY KEY,
        issuer text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        email text,
        email_verified boolean NOT NULL,
        name text,
        picture text,
        plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro')),
        plan_version bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
        CONSTRAINT account_identity UNIQUE (issuer, subject)
      )`)
  },
}
