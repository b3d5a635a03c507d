import { observeQueues } from '#libs/postgres/observe-queues.js'
import type { Pool } from '#libs/postgres/pool.js'
import { auditQueueFigures } from '#shared/operator/audit-outbox.js'

const figures = `
  SELECT 'event_deliveries' AS queue, count(*)::float8 AS depth,
    coalesce(extract(epoch FROM now() - min(event_delivery.queued_at)), 0)::float8 AS age_seconds
  FROM event_delivery
  UNION ALL ${auditQueueFigures}`

/** Exports the outboxes as metrics. */
export function observeOutbox(pool: Pool, now: () => number): void {
  observeQueues(pool, figures, now)
}
