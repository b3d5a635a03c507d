import { leasedQueue } from '#libs/postgres/leased-queue.js'
import type { Pool } from '#libs/postgres/pool.js'
import type { PlanDelivery } from '../domain/manual-plan.js'
import type { PlanOutbox } from '../ports.js'

/** The plans of one account reach a receiver in their order. */
const isNext = `
  NOT EXISTS (
    SELECT FROM plan_delivery AS older
    WHERE older.account_id = plan_delivery.account_id AND older.receiver = plan_delivery.receiver
      AND older.version < plan_delivery.version)`

const columns = `
  plan_delivery.account_id AS "accountId", plan_delivery.receiver, plan_delivery.version::float8 AS version,
  plan_delivery.plan, plan_delivery.granted_until AS until, plan_delivery.message, plan_delivery.shown_as AS "shownAs"`

type DeliveryRow = Omit<PlanDelivery, 'granted'> & {
  readonly until: Date | null
  readonly message: string
  readonly shownAs: string | null
}

/** The outbox in Postgres, in the schema whose transactions add to it. */
export function postgresPlanOutbox(pool: Pool): PlanOutbox {
  const queue = leasedQueue<DeliveryRow, 'accountId' | 'receiver' | 'version'>(pool, {
    name: 'outbox',
    table: 'plan_delivery',
    key: { accountId: 'text', receiver: 'text', version: 'bigint' },
    columns,
    condition: isNext,
    retry: { firstSeconds: 0.25, secondsMax: 60 },
  })
  return {
    claim: async (count, leaseMs) =>
      (await queue.claim(count, leaseMs)).map(({ until, message, shownAs, ...row }) => ({
        ...row,
        granted: until === null ? null : { until, message, shownAs },
      })),
    finish: (delivery) => queue.finish([delivery]),
    postpone: (delivery) => queue.postpone([delivery]),
  }
}
