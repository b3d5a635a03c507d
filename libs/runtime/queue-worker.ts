import { messageWithCauseOf } from '../core/message-of.js'
import type { Logger } from '../log/logger.js'
import { createRepeats } from '../log/repeats.js'
import { metrics } from '../telemetry/catalogue.js'

/** Claims and processes items of a queue until it is stopped. */
export interface QueueWorker {
  /** Looks for work at once. */
  wake(): void
  /** Resolves when the current work has ended; nothing more is claimed. */
  stop(): Promise<void>
}

/** The source of work and how to do it. */
export interface Queue<T> {
  /** The next items, claimed for this worker; none if nothing is due. */
  claim(): Promise<readonly T[]>
  /** Processes one item; errors are logged, and the queue decides when to retry. */
  work(item: T): Promise<void>
}

/** A queue that cannot be read for the same reason again and again says so once a minute. */
const repeatMs = 60_000

/**
 * Looks for work every `intervalMs`, and continues without a pause while there is any. The items of one claim are
 * processed concurrently.
 */
export function queueWorker<T>(
  name: string,
  intervalMs: number,
  log: Logger,
  { claim, work }: Queue<T>,
): QueueWorker {
  const failures = metrics.taskFailures.series(name)
  const repeats = createRepeats(repeatMs)
  let stopped = false
  let awake = false
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | null = null

  const processItem = async (item: T): Promise<void> => {
    try {
      await work(item)
    } catch (error) {
      failures.inc()
      log.error({ event: 'queue_item_failed', err: error, queue: name }, 'queue item failed')
    }
  }
  const drain = async (): Promise<void> => {
    try {
      do {
        awake = false
        const items = await claim()
        if (items.length > 0) awake = true
        await Promise.all(items.map(processItem))
      } while (awake && !stopped)
    } catch (error) {
      const line = repeats.next(messageWithCauseOf(error))
      if (line !== null)
        log.warn({ event: 'queue_read_failed', err: error, queue: name, ...line }, 'queue could not be read')
    }
  }
  const run = (): void => {
    current = drain().finally(() => {
      current = null
      if (!stopped) timer = setTimeout(run, intervalMs)
    })
  }
  run()
  return {
    wake() {
      awake = true
      if (stopped || current !== null) return
      clearTimeout(timer)
      run()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await current
    },
  }
}
