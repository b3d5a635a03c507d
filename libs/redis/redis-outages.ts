import type { EventEmitter } from 'node:events'
import type { Logger } from '../log/logger.js'
import { metrics } from '../telemetry/catalogue.js'

/** Logs the first error of an outage and its end, and nothing in between. */
export function watchOutages(client: EventEmitter, log: Pick<Logger, 'warn' | 'info'>): void {
  let isOut = false
  const outages = metrics.redisOutages.series()
  const up = metrics.redisUp.series()
  client.on('error', (error: Error) => {
    if (isOut) return
    isOut = true
    up.set(0)
    outages.inc()
    log.warn({ event: 'redis_down', err: { message: error.message } }, 'Redis cannot be reached')
  })
  client.on('ready', () => {
    if (isOut) log.info({ event: 'redis_up' }, 'Redis can be reached again')
    isOut = false
    up.set(1)
  })
}
