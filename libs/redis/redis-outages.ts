import type { EventEmitter } from 'node:events'
import type { Logger } from '../log/logger.js'

/** Logs the first error of an outage and its end, and nothing between the two. */
export function watchOutages(client: EventEmitter, log: Pick<Logger, 'warn' | 'info'>): void {
  let isOut = false
  client.on('error', (error: Error) => {
    if (isOut) return
    isOut = true
    log.warn({ err: { message: error.message } }, 'Redis cannot be reached')
  })
  client.on('ready', () => {
    if (isOut) log.info('Redis can be reached again')
    isOut = false
  })
}
