import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { createKeyedQueue } from '#libs/runtime/keyed-queue.js'
import { type PeriodicTask, periodicTask } from '#libs/runtime/periodic-task.js'
import { type QueueWorker, queueWorker } from '#libs/runtime/queue-worker.js'
import type { CounterSeries } from '#libs/telemetry/bounded-metrics.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { reconcile } from '../application/reconcile.js'
import { processEvent, recheckDue, refundDuplicate } from '../application/refresh-subscription.js'
import type { BillingPorts, EventOutcome } from '../ports.js'

/** How often the queues are polled, in milliseconds; items added by this process are processed at once. */
const intervalMs = 500

/**
 * Longer than a call to the provider or a receiver can take, so that only a dead process loses its work to
 * another.
 */
const leaseMs = 15_000

const atOnce = 8
const hourMs = 3_600_000

/** Exported from the start, at 0: an alert cannot see the first increase of a counter that begins at 1. */
const processed: Readonly<Record<EventOutcome, CounterSeries>> = {
  applied: metrics.providerEvents.series('applied'),
  ignored: metrics.providerEvents.series('ignored'),
  foreign: metrics.providerEvents.series('foreign'),
  'wrong-mode': metrics.providerEvents.series('wrong-mode'),
}

/** The background jobs of billing. */
export interface BillingJobs {
  /** Wakes the worker after an event was stored. */
  eventArrived(): void
  planChanged(): void
  stop(): Promise<void>
}

/** Logs domain errors, and throws others for the worker to log. */
function expectUnavailable(log: Logger, fields: object, message: string): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof DomainError)) throw error
    log.warn({ ...fields, err: error }, message)
  }
}

/** Processes events, in order for each customer. */
function eventWorker(ports: BillingPorts, log: Logger, planChanged: () => void): QueueWorker {
  const { eventLog } = ports
  const customers = createKeyedQueue()
  return queueWorker('events', intervalMs, log, {
    claim: () => eventLog.claim(atOnce, leaseMs),
    async work(event) {
      try {
        const outcome = await customers.run(event.customerId ?? event.id, () => processEvent(ports, event))
        await eventLog.finish(event.id, outcome)
        processed[outcome].inc()
        log.info(
          { event: 'provider_event_processed', provider_event: event.id, type: event.type, outcome },
          'provider event processed',
        )
        planChanged()
      } catch (error) {
        await eventLog.postpone(event.id)
        expectUnavailable(
          log,
          { event: 'provider_event_postponed', provider_event: event.id },
          'provider event failed; will retry',
        )(error)
      }
    },
  })
}

/** Delivers plans to the receivers, in order for each account and receiver. */
function deliveryWorker({ outbox, notifier }: BillingPorts, log: Logger): QueueWorker {
  return queueWorker('deliveries', intervalMs, log, {
    claim: () => outbox.claim(4 * atOnce, leaseMs),
    async work(delivery) {
      try {
        await notifier.notify(delivery)
        await outbox.finish(delivery)
      } catch (error) {
        await outbox.postpone(delivery)
        expectUnavailable(
          log,
          { event: 'plan_delivery_postponed', ...delivery },
          'plan delivery failed; will retry',
        )(error)
      }
    },
  })
}

function dueWorker(ports: BillingPorts, log: Logger, planChanged: () => void): QueueWorker {
  return queueWorker('due', intervalMs, log, {
    claim: () => ports.accounts.claimDue(atOnce, leaseMs),
    async work(id) {
      const later = expectUnavailable(
        log,
        { event: 'subscription_check_postponed', account_id: id },
        'subscription check failed; will retry',
      )
      await recheckDue(ports, id).catch(later)
      planChanged()
    },
  })
}

function refundWorker(ports: BillingPorts, log: Logger): QueueWorker {
  return queueWorker('unwanted', intervalMs, log, {
    claim: () => ports.accounts.claimUnwanted(atOnce, leaseMs),
    async work(subscriber) {
      const fields = { account_id: subscriber.accountId, subscription: subscriber.subscriptionId }
      await refundDuplicate(ports, subscriber).then(
        () =>
          log.warn(
            { event: 'duplicate_subscription_refunded', ...fields },
            'duplicate subscription refunded',
          ),
        expectUnavailable(
          log,
          { event: 'duplicate_refund_postponed', ...fields },
          'duplicate refund failed; will retry',
        ),
      )
    },
  })
}

/** Reconciles with the provider once a day, and deletes old records. */
function reconciliationTask(ports: BillingPorts, log: Logger, planChanged: () => void): PeriodicTask {
  const { reconciliation } = ports
  return periodicTask('reconcile', 600_000, log, async (signal) => {
    await ports.eventLog.forgetOld(signal)
    await ports.idempotency.deleteExpired(signal)
    if (!(await reconciliation.claim(hourMs))) return
    const result = await reconcile(ports, signal)
    if (!signal.aborted) await reconciliation.finish()
    planChanged()
    log.info({ event: 'reconciliation_finished', ...result }, 'reconciliation finished')
  })
}

/** Starts all background jobs of billing. */
export function startBillingJobs(ports: BillingPorts, log: Logger): BillingJobs {
  const deliveries = deliveryWorker(ports, log)
  const events = eventWorker(ports, log, deliveries.wake)
  const others = [
    dueWorker(ports, log, deliveries.wake),
    refundWorker(ports, log),
    reconciliationTask(ports, log, deliveries.wake),
  ]
  return {
    eventArrived: events.wake,
    planChanged: deliveries.wake,
    async stop() {
      await Promise.all([events, ...others].map((one) => one.stop()))
      await deliveries.stop()
    },
  }
}
