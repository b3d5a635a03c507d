import { startRedisServer, whyNoRedis } from '#libs/testing/redis-server.js'
import type { TestSystem } from '../e2e/harness/system.js'
import type { BenchContext } from './bench.js'

/** A system whose gateways share their rate limits, and the process that holds those. */
export interface SystemWithRedis {
  readonly system: TestSystem
  readonly redisPid: number
  readonly redisUrl: string
}

/** Does `work` with a system whose limits are in a Redis of its own, or with `null` where there is no `redis-server`. */
export async function withLimitsInRedis<Result>(
  { startSystem }: Pick<BenchContext, 'startSystem'>,
  work: (shared: SystemWithRedis | null) => Promise<Result>,
): Promise<Result> {
  const reason = whyNoRedis()
  if (reason !== null) {
    console.log(`Not measured with shared limits: ${reason}.`)
    return work(null)
  }
  const redis = await startRedisServer()
  try {
    const system = await startSystem({ env: { REDIS_URL: redis.url } })
    return await work({ system, redisPid: redis.pid, redisUrl: redis.url })
  } finally {
    await redis.stop()
  }
}
