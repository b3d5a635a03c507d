import { messageWithCauseOf } from '../core/message-of.js'
import type { Logger } from '../log/logger.js'
import { createRepeats } from '../log/repeats.js'
import { metrics } from '../telemetry/catalogue.js'

/** A task that repeats until it is stopped. */
export interface PeriodicTask {
  /** Resolves when the current run, if any, has ended; no other follows. */
  stop(): Promise<void>
}

/** A task that fails in the same way again and again says so once a minute. */
const repeatMs = 60_000

/**
 * Runs `work` every `intervalMs`, with up to a tenth of jitter so that replicas drift apart, and never concurrently.
 * An error is logged and the next run comes as usual. `stop` aborts `signal`.
 */
export function periodicTask(
  name: string,
  intervalMs: number,
  log: Logger,
  work: (signal: AbortSignal) => Promise<void>,
): PeriodicTask {
  const abort = new AbortController()
  const failures = metrics.taskFailures.series(name)
  const repeats = createRepeats(repeatMs)
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  const schedule = (): void => {
    if (abort.signal.aborted) return
    timer = setTimeout(run, intervalMs * (0.9 + Math.random() * 0.1))
    timer.unref()
  }
  const run = (): void => {
    current = work(abort.signal)
      .catch((error: unknown) => {
        failures.inc()
        const line = repeats.next(messageWithCauseOf(error))
        if (line !== null)
          log.error({ event: 'task_failed', err: error, task: name, ...line }, 'periodic task failed')
      })
      .finally(schedule)
  }
  schedule()
  return {
    async stop() {
      abort.abort()
      clearTimeout(timer)
      await current
    },
  }
}
