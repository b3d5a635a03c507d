import type { Logger } from '../log/logger.js'
import type { RedisConnection } from './redis-connection.js'

/**
 * Opens Redis if it is configured, else returns `null`. The driver, which is as large as everything else in a
 * process, is loaded only then.
 */
export async function openConfiguredRedis(
  url: string | null,
  log: Logger,
  options: { readonly name: string },
): Promise<RedisConnection | null> {
  if (url === null) return null
  const { openRedis } = await import('./redis-connection.js')
  return openRedis(url, log, options)
}
