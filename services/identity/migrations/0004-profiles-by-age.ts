import type { Migration } from '#libs/postgres/migrate.js'

/** When the token was issued that a profile is from; unknown for those that were kept before. */
export const profilesByAge: Migration = {
  name: '0004-profiles-by-age',
  async up(db) {
    await db.raw('ALTER TABLE account ADD COLUMN profile_issued_at timestamptz')
  },
}
