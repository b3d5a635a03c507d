import { observeQueues } from '#libs/postgres/observe-queues.js'
import { firstRow, type Pool, query, statement } from '#libs/postgres/pool.js'
import type { QueueState } from '#shared/core/audit-entry.js'
import { auditQueueState } from '#shared/operator/audit-outbox.js'
import type { BillingOversight, PaymentFigures } from '../ports.js'

const queueStates = `
  SELECT 'plan_deliveries' AS name, count(*)::float8 AS waiting,
    count(*) FILTER (WHERE plan_delivery.attempts > 0)::float8 AS failing, min(plan_delivery.created_at) AS "oldestAt"
  FROM plan_delivery
  UNION ALL
  SELECT 'provider_events', count(*)::float8, count(*) FILTER (WHERE provider_event.attempts > 0)::float8,
    min(provider_event.received_at)
  FROM provider_event WHERE provider_event.due_at IS NOT NULL
  UNION ALL ${auditQueueState}`

const queues = statement('oversight-queues')(queueStates)

const figures = statement('oversight-figures')(`
  SELECT (SELECT max(provider_event.received_at) FROM provider_event) AS "lastEventAt",
    (SELECT count(*) FROM provider_event WHERE provider_event.outcome = 'wrong-mode')::float8 AS "wrongModeEvents",
    (SELECT count(*) FROM subscription WHERE subscription.status = 'past_due')::float8 AS "pastDueSubscriptions",
    (SELECT count(*) FROM subscription WHERE subscription.live)::float8 AS "liveSubscriptions",
    (SELECT count(*) FROM unwanted_subscription)::float8 AS "waitingRefunds",
    (SELECT count(*) FROM plan_grant)::float8 AS "planGrants"`)

/** What operators see of payments, in Postgres. */
export function postgresBillingOversight(pool: Pool): BillingOversight {
  return {
    async figures() {
      const { rows } = await query<QueueState>(pool, queues())
      const row = await firstRow<Omit<PaymentFigures, 'queues'>>(pool, figures())
      if (row === undefined) throw new Error('a select of one row returned none')
      return { ...row, queues: rows }
    },
  }
}

/** Exports the queues of billing as metrics. */
export function observeBillingQueues(pool: Pool, now: () => number): void {
  observeQueues(pool, queueStates, now)
}
