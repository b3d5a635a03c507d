import { type Pool, query } from '#libs/postgres/pool.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountId } from '../domain/ids.js'
import type { PlanDelivery, PlanReceiver } from '../domain/plan-change.js'
import type { PlanOutbox } from '../ports.js'

/** Selects first, in a materialized step: as a condition, the limit would depend on the query plan. */
const claim = `
  WITH due AS MATERIALIZED (
    SELECT plan_delivery.account_id, plan_delivery.receiver, plan_delivery.version FROM plan_delivery
    WHERE plan_delivery.due_at <= now() AND NOT EXISTS (
      SELECT FROM plan_delivery AS older
      WHERE older.account_id = plan_delivery.account_id AND older.receiver = plan_delivery.receiver
        AND older.version < plan_delivery.version)
    ORDER BY plan_delivery.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE plan_delivery SET due_at = now() + $2 * interval '1 millisecond' FROM due
  WHERE plan_delivery.account_id = due.account_id AND plan_delivery.receiver = due.receiver
    AND plan_delivery.version = due.version
  RETURNING plan_delivery.account_id, plan_delivery.receiver, plan_delivery.version, plan_delivery.plan,
    plan_delivery.granted_until, plan_delivery.message, plan_delivery.shown_as`

const isThis = `
  plan_delivery.account_id = $1 AND plan_delivery.receiver = $2 AND plan_delivery.version = $3`

const finish = `DELETE FROM plan_delivery WHERE ${isThis}`

const postpone = `
  UPDATE plan_delivery SET attempts = plan_delivery.attempts + 1,
    due_at = now() + least(0.25 * power(2, least(plan_delivery.attempts, 10)), 60) * interval '1 second'
  WHERE ${isThis}`

interface DeliveryRow {
  readonly account_id: string
  readonly receiver: PlanReceiver
  readonly version: string
  readonly plan: PlanName
  readonly granted_until: Date | null
  readonly message: string
  readonly shown_as: string | null
}

function restoreDelivery(row: DeliveryRow): PlanDelivery {
  const { receiver, plan, granted_until: until, message, shown_as: shownAs } = row
  const granted = until === null ? null : { until, message, shownAs }
  return { accountId: accountId(row.account_id), receiver, version: Number(row.version), plan, granted }
}

/** The outbox in Postgres, in the schema whose transactions add to it. */
export function postgresPlanOutbox(pool: Pool): PlanOutbox {
  const keyOf = ({ accountId: id, receiver, version }: PlanDelivery): unknown[] => [id, receiver, version]
  return {
    async claim(count, leaseMs) {
      const values = [count, leaseMs]
      const { rows } = await query<DeliveryRow>(pool, { name: 'outbox-claim', text: claim, values })
      return rows.map(restoreDelivery)
    },
    async finish(delivery) {
      await query(pool, { name: 'outbox-finish', text: finish, values: keyOf(delivery) })
    },
    async postpone(delivery) {
      await query(pool, { name: 'outbox-postpone', text: postpone, values: keyOf(delivery) })
    },
  }
}
