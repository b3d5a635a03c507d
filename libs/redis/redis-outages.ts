import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'
import { NodeRefused } from './refused-node.js'

/** A process that is busy starting may miss its first connection, which is no outage if the next one succeeds. */
const startMs = 1_000

/** The log of outages. */
export interface Outages {
  /** Logs the first error of an outage, and nothing more until its end; before the first success after a second. */
  begin(error: Error): void
  end(): void
  /** Logs nothing more about a start that never succeeded. */
  close(): void
}

/** Logs the beginning and the end of each outage, and nothing in between. */
export function logOutages(log: Pick<Logger, 'warn' | 'info'>): Outages {
  let isOut = false
  let started = false
  let starting: NodeJS.Timeout | undefined
  const outages = metrics.redisOutages.series()
  const up = metrics.redisUp.series()
  const logOnce = (error: Error): void => {
    if (isOut) return
    isOut = true
    up.set(0)
    outages.inc()
    const refused = error instanceof NodeRefused
    const line = refused ? 'Redis cannot be used' : 'Redis cannot be reached'
    log.warn({ event: 'redis_down', err: error, ...(refused && { remedy: error.remedy }) }, line)
  }
  return {
    begin(error) {
      if (started || error instanceof NodeRefused) logOnce(error)
      else starting ??= setTimeout(logOnce, startMs, error).unref()
    },
    end() {
      clearTimeout(starting)
      started = true
      if (isOut) log.info({ event: 'redis_up' }, 'Redis can be reached again')
      isOut = false
      up.set(1)
    },
    close() {
      clearTimeout(starting)
    },
  }
}
