import type { EventEmitter } from 'node:events'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'

/** A process that is busy starting may miss its first connection, which is no outage if the next one succeeds. */
const startMs = 1_000

/** Logs the first error of an outage and its end, and nothing in between. */
export function watchOutages(client: EventEmitter, log: Pick<Logger, 'warn' | 'info'>): void {
  let isOut = false
  let started = false
  let starting: NodeJS.Timeout | undefined
  const outages = metrics.redisOutages.series()
  const up = metrics.redisUp.series()
  const begin = (error: unknown): void => {
    if (isOut) return
    isOut = true
    up.set(0)
    outages.inc()
    log.warn({ event: 'redis_down', err: error }, 'Redis cannot be reached')
  }
  client.on('error', (error: unknown) => {
    if (started) begin(error)
    else starting ??= setTimeout(begin, startMs, error).unref()
  })
  client.on('ready', () => {
    clearTimeout(starting)
    started = true
    if (isOut) log.info({ event: 'redis_up' }, 'Redis can be reached again')
    isOut = false
    up.set(1)
  })
  client.on('end', () => clearTimeout(starting))
}
