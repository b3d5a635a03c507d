import type { Migration } from '#libs/postgres/migrate.js'
import { createErasureLedger, letActsBeErased, rejectErasedOwners } from '#shared/erasure/erasure-ledger.js'

/** Accounts that were erased, by digest. The previous release cannot bring one back either. */
export const erasedAccounts: Migration = {
  name: '0004-erased-accounts',
  async up(db) {
    await db.raw(`${createErasureLedger} ${letActsBeErased} ${rejectErasedOwners('account', 'id')}`)
  },
}
