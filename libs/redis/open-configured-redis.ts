import type { Logger } from '../log/logger.js'
import type { RedisConnection } from './redis-connection.js'

/**
 * Opens Redis where there is one: `null` without an address. The driver, which is as large as all else that a process
 * loads, is loaded only then.
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
