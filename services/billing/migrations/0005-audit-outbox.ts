import type { Migration } from '#libs/postgres/migrate.js'
import { createAuditOutbox } from '#shared/operator/audit-outbox.js'

/**
 * Audit entries on their way to identity, first of all those recorded so far. The previous release goes on to write and
 * list its own table, `operator_act`, which a later release drops.
 */
export const auditOutbox: Migration = {
  name: '0005-audit-outbox',
  async up(db) {
    await db.raw(createAuditOutbox)
  },
}
