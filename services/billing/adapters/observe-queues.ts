import { observeQueues } from '#libs/postgres/observe-queues.js'
import type { Pool } from '#libs/postgres/pool.js'
import { auditQueueFigures } from '#shared/operator/audit-outbox.js'

const figures = `
  SELECT 'plan_deliveries' AS queue, count(*)::float8 AS depth,
    coalesce(extract(epoch FROM now() - min(plan_delivery.created_at)), 0)::float8 AS age_seconds
  FROM plan_delivery
  UNION ALL
  SELECT 'provider_events', count(*)::float8,
    coalesce(extract(epoch FROM now() - min(provider_event.received_at)), 0)::float8
  FROM provider_event WHERE provider_event.due_at IS NOT NULL
  UNION ALL ${auditQueueFigures}`

/** Exports the queues of billing as metrics. */
export function observeBillingQueues(pool: Pool, now: () => number): void {
  observeQueues(pool, figures, now)
}
