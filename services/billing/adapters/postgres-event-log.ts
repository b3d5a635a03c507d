import { deleteOld } from '#libs/postgres/delete-old.js'
import { leasedQueue } from '#libs/postgres/leased-queue.js'
import { firstRow, type Pool, rowCount, statement } from '#libs/postgres/pool.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { EventLog } from '../ports.js'

const record = statement('event-record')(`
  INSERT INTO provider_event (id, type, mode_matches, customer_id, subscription_id, checkout_id)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`)

/** The row stays until it is old, so that an event that arrives again is known. */
const finish = statement('event-finish')(`
  UPDATE provider_event SET finished_at = now(), outcome = $2, due_at = NULL
  WHERE provider_event.id = $1 AND provider_event.finished_at IS NULL
  RETURNING extract(epoch FROM now() - provider_event.received_at)::float8 AS lag_seconds`)

const old = {
  name: 'event-forget',
  table: 'provider_event',
  isOld: (row: string) => `${row}.finished_at < now() - interval '30 days'`,
}

const columns = `
  provider_event.id, provider_event.type, provider_event.mode_matches AS "modeMatches",
  provider_event.customer_id AS "customerId", provider_event.subscription_id AS "subscriptionId",
  provider_event.checkout_id AS "checkoutId"`

export function postgresEventLog(pool: Pool): EventLog {
  const queue = leasedQueue<ProviderEvent, 'id'>(pool, {
    name: 'event',
    table: 'provider_event',
    key: { id: 'text' },
    columns,
    // Without end, because the provider does not repeat an acknowledged event.
    retry: { firstSeconds: 1, secondsMax: 300 },
  })
  const processed = metrics.webhookLag.series('worked_off')
  return {
    async record({ id, type, modeMatches, customerId, subscriptionId, checkoutId }) {
      const event = record(id, type, modeMatches, customerId, subscriptionId, checkoutId)
      return (await rowCount(pool, event)) === 1
    },
    claim: queue.claim,
    async finish(id, outcome) {
      const row = await firstRow<{ lag_seconds: number }>(pool, finish(id, outcome))
      if (row !== undefined) processed.observe(row.lag_seconds)
    },
    postpone: (id) => queue.postpone([{ id }]),
    forgetOld: (signal) => deleteOld(pool, old, signal),
  }
}
