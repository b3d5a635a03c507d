import type { Logger } from '#libs/log/logger.js'
import type { RedisConnection } from '#libs/redis/redis-connection.js'
import { createLimiterWithFallback, type Limiter } from './limiter-with-fallback.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import { createLeases } from './redis-leases.js'
import { createRedisSlidingWindow } from './redis-sliding-window.js'

/** @param redis shares the limits between gateways; with `null`, each gateway limits on its own. */
export function createLimiter(redis: RedisConnection | null, log: Logger): Limiter {
  const now = performance.now.bind(performance)
  const own = createMemorySlidingWindow(now)
  if (redis === null) return { take: own.take, close: async () => {} }
  return createLimiterWithFallback({
    shared: createLeases(createRedisSlidingWindow(redis), now),
    own,
    lag: redis.lag,
    log,
  })
}

/** The limits of requests, and apart from them those of days: what they keep would make the others large. */
export function createLimiters(redis: RedisConnection | null, log: Logger) {
  const [window, days] = [createLimiter(redis, log), createLimiter(redis, log)]
  const closeLimiters = async (): Promise<void> => {
    await Promise.all([window.close(), days.close()])
    await redis?.close()
  }
  return { window, days, closeLimiters }
}
