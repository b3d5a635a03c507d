import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { openRedis, type RedisConnection } from '#libs/redis/redis-connection.js'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import { type Relay, startRelay } from '#libs/testing/relay.js'
import { createLimiter, type Limiter } from './limiter.js'

const strict = { name: 'strict', requests: 5, seconds: 60 }

let server: RedisServer
let relay: Relay
let redis: RedisConnection
let limiter: Limiter
let logged: string

/** Sends requests until the log says that the limits are shared. */
async function isShared(): Promise<boolean> {
  await limiter.take(`warm ${Math.random()}`, strict)
  return logged.lastIndexOf('shared through Redis again') >= logged.lastIndexOf('per process')
}

async function admittedOf(requests: number, subject: string): Promise<number> {
  let admitted = 0
  for (let n = 0; n < requests; n += 1) {
    if ((await limiter.take(subject, strict)).admitted) admitted += 1
  }
  return admitted
}

describeWithOwnRedis('limits and what is between a gateway and Redis', () => {
  beforeEach(async () => {
    logged = ''
    server = await startRedisServer()
    relay = await startRelay(server.port)
    const log = createLogger('test', 'info', {
      write: (line: string) => {
        logged += line
      },
    })
    redis = openRedis(`redis://127.0.0.1:${relay.port}`, log, { name: 'test' })
    limiter = createLimiter(redis, log)
    await expect
      .poll(() =>
        redis
          .script('return 1')([], [])
          .catch(() => 0),
      )
      .toBe(1)
  })
  afterEach(async () => {
    await limiter.close()
    await redis.close()
    relay.close()
    await server.stop()
  })

  it('are shared again within two seconds after a connection dies silently, and subscribers are notified', async () => {
    const messages: string[] = []
    let interruptions = 0
    redis.subscribe('news', {
      onMessage: (message) => messages.push(message),
      onInterrupted: () => {
        interruptions += 1
      },
    })
    await expect.poll(() => interruptions).toBe(1)
    expect(await isShared()).toBe(true)
    relay.silence()
    await expect.poll(isShared, { interval: 20 }).toBe(false)
    const startedAt = performance.now()
    await expect.poll(isShared, { interval: 20 }).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(2_300)
    await expect.poll(() => interruptions).toBeGreaterThan(2)
    await redis.publish('news', 'heard again')
    await expect.poll(() => messages).toEqual(['heard again'])
  })

  it('let one gateway admit no more than the policy allows, even if Redis has lost its data', async () => {
    expect(await admittedOf(3, 'a')).toBe(3)
    await server.kill()
    expect(await admittedOf(10, 'a')).toBe(2)
    await server.restart()
    await expect.poll(isShared, { interval: 20 }).toBe(true)
    expect(await admittedOf(10, 'a')).toBe(0)
    expect(await admittedOf(10, 'b')).toBe(5)
  })

  // Retried, because a busy machine may delay Redis itself by 40 ms.
  it('survive a pause of our own event loop', { retry: 3 }, async () => {
    for (let n = 0; n < 20; n += 1) {
      const taking = limiter.take(`paused ${n}`, strict)
      const until = performance.now() + 60
      while (performance.now() < until);
      expect((await taking).admitted).toBe(true)
      await sleep(5)
    }
    expect(logged).not.toContain('per process')
  })

  it('refund requests here and in Redis', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { admitted, remaining, refund } = await limiter.take('a', strict)
      expect([admitted, remaining]).toEqual([true, 4])
      refund()
      await sleep(10)
    }
  })
})
