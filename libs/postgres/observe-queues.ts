import { metrics } from '../telemetry/catalogue.js'
import { type Pool, query } from './pool.js'

interface FigureRow {
  readonly queue: string
  readonly depth: number
  readonly age_seconds: number
}

/** The database is queried at most once in this time, however many scrapes there are, in milliseconds. */
const freshMs = 1_000

/**
 * Exports queues in Postgres as metrics; only scrapes cause a query.
 * @param states selects `name`, `waiting` and `"oldestAt"` of each.
 * @param now a monotonic clock in milliseconds.
 */
export function observeQueues(pool: Pool, states: string, now: () => number): void {
  const text = `
    SELECT queue.name AS queue, queue.waiting AS depth,
      coalesce(extract(epoch FROM now() - queue."oldestAt"), 0)::float8 AS age_seconds
    FROM (${states}) AS queue`
  let asked: { readonly at: number; readonly rows: Promise<readonly FigureRow[]> } | null = null
  const read = (): Promise<readonly FigureRow[]> => {
    if (asked === null || now() - asked.at > freshMs) {
      const rows = query<FigureRow & { [column: string]: unknown }>(pool, {
        name: 'queue-figures',
        text,
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
