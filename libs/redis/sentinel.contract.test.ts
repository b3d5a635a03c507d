import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { describeWithSentinel, type RedisFailover, startRedisFailover } from '../testing/redis-sentinel.js'
import { openRedis, type RedisConnection } from './redis-connection.js'

describeWithSentinel('Redis with Sentinel behind HAProxy', () => {
  let servers: RedisFailover
  let redis: RedisConnection
  let logged = ''

  beforeAll(async () => {
    servers = await startRedisFailover()
    const destination = {
      write: (line: string) => {
        logged += line
      },
    }
    redis = openRedis(servers.url, createLogger('test', 'info', destination), { name: 'test' })
  })
  afterAll(async () => {
    await redis?.close()
    await servers?.stop()
  })

  const count = () => redis.script("return redis.call('INCR', KEYS[1])")(['snipkeep:limit:test'], [])

  it('goes on with the new primary after a crash, and delivers messages that were sent through it', async () => {
    const messages: string[] = []
    redis.subscribe('news', { onMessage: (message) => messages.push(message), onInterrupted: () => {} })
    const heard = async (message: string): Promise<boolean> => {
      await redis.publish('news', message).catch(() => {})
      return messages.includes(message)
    }
    await expect.poll(() => heard('before'), { interval: 50 }).toBe(true)
    await servers.untilInStep()
    await servers.first.kill()
    await servers.untilRole(servers.second, 'master')
    await expect.poll(() => count().catch(() => 0), { interval: 50 }).toBeGreaterThan(0)
    await expect.poll(() => heard('after'), { interval: 50 }).toBe(true)
    // HAProxy may drop a connection once more while it follows the new primary: each outage is logged with its end.
    const outages = logged.match(/Redis cannot be (reached|used)/g) ?? []
    expect(outages.length).toBeGreaterThan(0)
    expect(logged.match(/Redis can be reached again/g)).toHaveLength(outages.length)
  })
})
