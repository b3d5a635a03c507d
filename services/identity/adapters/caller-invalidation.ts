import type { Logger } from '#libs/log/logger.js'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { callerInvalidationChannel } from '#shared/core/caller-invalidation.js'
import type { CallerInvalidation } from '../ports.js'

/** Does nothing: without Redis, cached callers expire within five seconds. */
export const noopCallerInvalidation: CallerInvalidation = { invalidate: async () => {} }

/** Publishes to all gateways through Redis. If Redis cannot be reached, cached callers expire within five seconds. */
export function redisCallerInvalidation(
  redis: Pick<RedisConnection, 'publish'>,
  log: Pick<Logger, 'warn'>,
): CallerInvalidation {
  return {
    async invalidate(accountId) {
      try {
        await redis.publish(callerInvalidationChannel, accountId)
      } catch (error) {
        log.warn({ event: 'caller_invalidation_failed', err: error }, 'caller invalidation failed')
      }
    },
  }
}
