import { leasedQueue } from '#libs/postgres/leased-queue.js'
import type { Pool } from '#libs/postgres/pool.js'
import type { PlanName } from '#shared/core/plan.js'
import { accountId } from '../domain/ids.js'
import type { PlanDelivery, PlanReceiver } from '../domain/plan-grant.js'
import type { PlanOutbox } from '../ports.js'

/** The plans of one account reach a receiver in their order. */
const isNext = `
  NOT EXISTS (
    SELECT FROM plan_delivery AS older
    WHERE older.account_id = plan_delivery.account_id AND older.receiver = plan_delivery.receiver
      AND older.version < plan_delivery.version)`

const columns = `
  plan_delivery.account_id, plan_delivery.receiver, plan_delivery.version, plan_delivery.plan,
  plan_delivery.granted_until, plan_delivery.message, plan_delivery.shown_as`

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
  const queue = leasedQueue<DeliveryRow, 'account_id' | 'receiver' | 'version'>(pool, {
    name: 'outbox',
    table: 'plan_delivery',
    key: { account_id: 'text', receiver: 'text', version: 'bigint' },
    columns,
    condition: isNext,
    retry: { firstSeconds: 0.25, secondsMax: 60 },
  })
  const keyOf = ({ accountId: id, receiver, version }: PlanDelivery) => [
    { account_id: id, receiver, version: String(version) },
  ]
  return {
    claim: async (count, leaseMs) => (await queue.claim(count, leaseMs)).map(restoreDelivery),
    finish: (delivery) => queue.finish(keyOf(delivery)),
    postpone: (delivery) => queue.postpone(keyOf(delivery)),
  }
}
