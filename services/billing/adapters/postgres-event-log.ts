import { deleteOld } from '#libs/postgres/delete-old.js'
import { type Pool, query } from '#libs/postgres/pool.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { checkoutId, customerId, subscriptionId } from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { EventLog } from '../ports.js'

const record = `
  INSERT INTO provider_event (id, type, mode_matches, customer_id, subscription_id, checkout_id)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`

/** Selects first, in a materialized step: as a condition, the limit would depend on the query plan. */
const claim = `
  WITH due AS MATERIALIZED (
    SELECT provider_event.id FROM provider_event WHERE provider_event.due_at <= now()
    ORDER BY provider_event.due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  UPDATE provider_event SET due_at = now() + $2 * interval '1 millisecond' FROM due
  WHERE provider_event.id = due.id
  RETURNING provider_event.id, provider_event.type, provider_event.mode_matches, provider_event.customer_id,
    provider_event.subscription_id, provider_event.checkout_id`

const finish = `
  UPDATE provider_event SET finished_at = now(), outcome = $2, due_at = NULL
  WHERE provider_event.id = $1 AND provider_event.finished_at IS NULL
  RETURNING extract(epoch FROM now() - provider_event.received_at)::float8 AS lag_seconds`

/**
 * One second, two, four and so on, up to five minutes; without end, because the provider does not repeat an
 * acknowledged event.
 */
const postpone = `
  UPDATE provider_event SET attempts = provider_event.attempts + 1,
    due_at = now() + least(power(2, least(provider_event.attempts, 10)), 300) * interval '1 second'
  WHERE provider_event.id = $1 AND provider_event.finished_at IS NULL`

const old = {
  name: 'event-forget',
  table: 'provider_event',
  isOld: (row: string) => `${row}.finished_at < now() - interval '30 days'`,
}

interface EventRow {
  readonly id: string
  readonly type: string
  readonly mode_matches: boolean
  readonly customer_id: string | null
  readonly subscription_id: string | null
  readonly checkout_id: string | null
}

function restoreEvent(row: EventRow): ProviderEvent {
  return {
    id: row.id,
    type: row.type,
    modeMatches: row.mode_matches,
    customerId: row.customer_id === null ? null : customerId(row.customer_id),
    subscriptionId: row.subscription_id === null ? null : subscriptionId(row.subscription_id),
    checkoutId: row.checkout_id === null ? null : checkoutId(row.checkout_id),
  }
}

export function postgresEventLog(pool: Pool): EventLog {
  const run = async (name: string, text: string, values: unknown[]): Promise<number> =>
    (await query(pool, { name, text, values })).rowCount ?? 0
  const processed = metrics.webhookLag.series('worked_off')
  return {
    async record({ id, type, modeMatches, customerId, subscriptionId, checkoutId }) {
      const values = [id, type, modeMatches, customerId, subscriptionId, checkoutId]
      return (await run('event-record', record, values)) > 0
    },
    async claim(count, leaseMs) {
      const values = [count, leaseMs]
      const { rows } = await query<EventRow>(pool, { name: 'event-claim', text: claim, values })
      return rows.map(restoreEvent)
    },
    async finish(id, outcome) {
      const statement = { name: 'event-finish', text: finish, values: [id, outcome] }
      const { rows } = await query<{ lag_seconds: number }>(pool, statement)
      for (const row of rows) processed.observe(row.lag_seconds)
    },
    async postpone(id) {
      await run('event-postpone', postpone, [id])
    },
    forgetOld: (signal) => deleteOld(pool, old, signal),
  }
}
