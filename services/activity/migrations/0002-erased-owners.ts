import type { Migration } from '#libs/postgres/migrate.js'
import { createErasureLedger, rejectErasedOwners } from '#shared/erasure/erasure-ledger.js'

/** Owners that were erased, by digest. The previous release cannot bring one back either. */
export const erasedOwners: Migration = {
  name: '0002-erased-owners',
  async up(db) {
    await db.raw(`${createErasureLedger} ${rejectErasedOwners('owner', 'owner_id')}`)
  },
}
