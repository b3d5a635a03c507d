import type { Migration } from '#libs/postgres/migrate.js'

/** When a plan was queued for delivery, for monitoring. */
export const deliveryAge: Migration = {
  name: '0002-delivery-age',
  async up(db) {
    await db.raw('ALTER TABLE plan_delivery ADD COLUMN created_at timestamptz NOT NULL DEFAULT now()')
  },
}
