import { type Pool, query, statement } from '#libs/postgres/pool.js'
import type { ReconciliationSchedule } from '../ports.js'

const claim = statement('reconcile-claim')(`
  UPDATE reconciliation SET due_at = now() + $1 * interval '1 millisecond' WHERE reconciliation.due_at <= now()`)

/** 3 a.m. UTC, when few people pay. */
const finish = statement('reconcile-finish')(`
  UPDATE reconciliation SET due_at = date_trunc('day', now() - interval '3 hours') + interval '27 hours'`)

/** The time of the next reconciliation, in Postgres. */
export function postgresReconciliationSchedule(pool: Pool): ReconciliationSchedule {
  return {
    async claim(leaseMs) {
      const { rowCount } = await query(pool, claim(leaseMs))
      return rowCount === 1
    },
    async finish() {
      await query(pool, finish())
    },
  }
}
