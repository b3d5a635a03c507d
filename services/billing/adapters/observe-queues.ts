import { type Pool, query } from '#libs/postgres/pool.js'
import { metrics } from '#libs/telemetry/catalogue.js'

const figures = `
  SELECT 'plan_deliveries' AS queue, count(*)::float8 AS depth,
    coalesce(extract(epoch FROM now() - min(plan_delivery.created_at)), 0)::float8 AS age_seconds
  FROM plan_delivery
  UNION ALL
  SELECT 'provider_events', count(*)::float8,
    coalesce(extract(epoch FROM now() - min(provider_event.received_at)), 0)::float8
  FROM provider_event WHERE provider_event.due_at IS NOT NULL`

interface FigureRow {
  readonly queue: string
  readonly depth: number
  readonly age_seconds: number
}

/** The database is queried at most once in this time, however many scrapes there are, in milliseconds. */
const freshMs = 1_000

/**
 * Exports the queues of billing as metrics; only scrapes cause a query.
 * @param now a monotonic clock in milliseconds.
 */
export function observeQueues(pool: Pool, now: () => number): void {
  let asked: { readonly at: number; readonly rows: Promise<readonly FigureRow[]> } | null = null
  const read = (): Promise<readonly FigureRow[]> => {
    if (asked === null || now() - asked.at > freshMs) {
      const rows = query<FigureRow & { [column: string]: unknown }>(pool, {
        name: 'queue-figures',
        text: figures,
      })
      asked = { at: now(), rows: rows.then((result) => result.rows) }
    }
    return asked.rows
  }
  metrics.queueDepth.observe(async () => (await read()).map(({ queue, depth }) => [[queue], depth]))
  metrics.queueOldestAge.observe(async () =>
    (await read()).map(({ queue, age_seconds: age }) => [[queue], Math.max(0, age)]),
  )
}
