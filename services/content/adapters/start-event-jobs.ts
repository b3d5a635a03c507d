import type { Logger } from '#libs/log/logger.js'
import { periodicTask } from '#libs/runtime/periodic-task.js'
import { queueWorker } from '#libs/runtime/queue-worker.js'
import { deliverEvents } from '../application/deliver-events.js'
import type { ContentPorts, EventRecorder } from '../ports.js'

/** How often the outbox is polled, in milliseconds. */
const intervalMs = 1_000
/** How often shares are checked for views whose hour is over, in milliseconds. */
const viewsIntervalMs = 60_000
/** Longer than a delivery can take, so that only a dead process loses its events to another. */
const leaseMs = 15_000
const batch = 100

/** Delivers events to identity, and queues view events hourly. */
export function startEventJobs(
  ports: Pick<ContentPorts, 'outbox' | 'shares'>,
  recorder: EventRecorder,
  log: Logger,
): readonly { stop(): Promise<void> }[] {
  const deliveries = queueWorker('event_deliveries', intervalMs, log, {
    async claim() {
      const events = await ports.outbox.claim(batch, leaseMs)
      return events.length === 0 ? [] : [events]
    },
    async work(events) {
      await deliverEvents({ outbox: ports.outbox, recorder }, events, ({ id, type, ownerId }, error) =>
        log.error(
          { event: 'event_refused', err: error, account_id: ownerId, event_id: id, type },
          'event dropped: identity refused it',
        ),
      ).catch((error: unknown) =>
        log.warn(
          { event: 'event_delivery_postponed', err: error, events: events.length },
          'event delivery failed; will retry',
        ),
      )
    },
  })
  const views = periodicTask('views', viewsIntervalMs, log, async (signal) => {
    while (!signal.aborted && (await ports.shares.queueViewEvents(batch)) === batch);
  })
  return [deliveries, views]
}
