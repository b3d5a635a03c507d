import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { DomainError } from '#libs/core/domain-error.js'
import { createLogger } from '#libs/log/logger.js'
import { openRedis, type RedisConnection } from '#libs/redis/redis-connection.js'
import { describeWithRedis } from '#libs/testing/describe-with-redis.js'
import { createRedisSlidingWindow } from '../../rate-limits/redis-sliding-window.js'
import { type ArchiveQuota, createArchiveQuota, type RunningTask } from './archive-quota.js'

describeWithRedis('exports', (redisUrl) => {
  let connections: RedisConnection[]
  let gateways: readonly ArchiveQuota[]

  beforeAll(async () => {
    const log = createLogger('test', 'silent')
    connections = [1, 2].map(() => openRedis(redisUrl, log, { name: 'test' }))
    for (const connection of connections)
      await vi.waitFor(() => connection.script('return 1')([], []), { timeout: 30_000 })
    gateways = connections.map((connection) => createArchiveQuota(createRedisSlidingWindow(connection)))
  })
  afterAll(() => Promise.all((connections ?? []).map((connection) => connection.close())))

  it('of an account are one at a time and four a day over all gateways', async () => {
    const account = `ann-${process.pid}-${Date.now()}`
    const start = async (gateway: number): Promise<RunningTask | string> => {
      const [quota] = gateways.slice(gateway % 2)
      if (quota === undefined) throw new Error('no gateway')
      return quota.start('export', account).catch((error: DomainError) => String(error.details.policy))
    }
    for (let n = 1; n <= 4; n += 1) {
      const attempts = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(start))
      const running = attempts.filter((one) => typeof one !== 'string')
      expect(running).toHaveLength(1)
      for (const task of running) task.end(true)
      // The lease is given back in the background.
      const probe = async (): Promise<string> => {
        const started = await start(n)
        if (typeof started === 'string') return started
        started.end(false)
        return 'free'
      }
      await expect.poll(probe).toBe(n === 4 ? 'export' : 'free')
    }
  })
})
