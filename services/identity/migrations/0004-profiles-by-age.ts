import type { Migration } from '#libs/postgres/migrate.js'

/** The issue time of a profile's token; unknown for existing profiles. */
export const profilesByAge: Migration = {
  name: '0004-profiles-by-age',
  async up(db) {
    await db.raw('ALTER TABLE account ADD COLUMN profile_issued_at timestamptz')
  },
}
