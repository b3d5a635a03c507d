import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { openRedis, type RedisConnection } from '#libs/redis/redis-connection.js'
import { describeWithOwnRedis, describeWithRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import type { RatePolicy } from '../request/counted-request.js'
import { createRedisSlidingWindow, type RedisSlidingWindow } from './redis-sliding-window.js'

const log = createLogger('test', 'silent')
/** Every test has its own policy, and so its own keys. */
let named = 0
const policyOf = (requests: number, seconds: number): RatePolicy => {
  named += 1
  return { name: `test-${process.pid}-${named}`, requests, seconds }
}

async function whenReady(connection: RedisConnection): Promise<RedisConnection> {
  const ping = connection.script('return 1')
  for (let tries = 0; (await ping([], []).catch(() => 0)) !== 1; tries += 1) {
    if (tries === 3_000) throw new Error('Redis cannot be reached')
    await sleep(10)
  }
  return connection
}

/** The most admissions in any window of this length. */
function mostInAnyWindow(times: readonly number[], windowMicros: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(
    ...sorted.map((from) => sorted.filter((at) => at >= from && at < from + windowMicros).length),
  )
}

describeWithRedis('three gateways that share a sliding window by Redis', (redisUrl) => {
  let connections: RedisConnection[]
  let windows: RedisSlidingWindow[]
  const at = (index: number): RedisSlidingWindow => {
    const window = windows[index % windows.length]
    if (window === undefined) throw new Error('no window')
    return window
  }

  beforeAll(async () => {
    const open = () => whenReady(openRedis(redisUrl, log, { name: 'test' }))
    connections = await Promise.all([open(), open(), open()])
    windows = connections.map(createRedisSlidingWindow)
  })
  afterAll(() => Promise.all((connections ?? []).map((connection) => connection.close())))

  it('count a weighted request, reject it without room for all of it, and refund all of it', async () => {
    const policy = policyOf(10, 60)
    const six = await at(0).take('a', policy, 6)
    expect(six).toMatchObject({ admitted: true, remaining: 4 })
    expect((await at(1).take('a', policy, 5)).admitted).toBe(false)
    expect(await at(2).take('a', policy, 4)).toMatchObject({ admitted: true, remaining: 0 })
    six.refund()
    for (let tries = 0; tries < 3_000 && !(await at(1).take('a', policy, 6)).admitted; tries += 1)
      await sleep(10)
    const full = await at(0).take('a', policy)
    expect(full.admitted).toBe(false)
    expect(full.resetMs).toBeGreaterThan(50_000)
  })

  it('admit exactly five of a thousand parallel requests', async () => {
    const strict = policyOf(5, 60)
    const responses = await Promise.all(Array.from({ length: 1_000 }, (_, n) => at(n).take('a', strict)))
    expect(responses.filter(({ admitted }) => admitted)).toHaveLength(5)
    expect(responses.filter(({ admitted }) => admitted).map(({ remaining }) => remaining)).toEqual([
      4, 3, 2, 1, 0,
    ])
    for (const { resetMs } of responses) expect(resetMs).toBeGreaterThan(59_000)
    expect((await at(1).take('b', strict)).admitted).toBe(true)
    expect((await at(2).take('a', { ...strict, name: `${strict.name}-other` })).admitted).toBe(true)
  })

  // Redis's clock decides, so ten minutes are compressed into six seconds: a window of 0.6 s stands for 60 s.
  it.each([
    { requests: 5, needless: 'none is rejected needlessly', atLeast: 45 },
    { requests: 300, needless: 'one counts for at most a 32nd of the window longer', atLeast: 2_600 },
  ])(
    'never admit more than $requests in any window of ten minutes of random arrivals, and $needless',
    async ({ requests, atLeast }) => {
      const policy = policyOf(requests, 0.6)
      const times: number[] = []
      let asked = 0
      const until = performance.now() + 6_000
      const arrive = async (index: number): Promise<void> => {
        while (performance.now() < until) {
          // Sometimes alone, sometimes in a burst.
          await sleep(Math.random() < 0.2 ? Math.random() * 400 : Math.random() * 20)
          const burst = Math.ceil(requests / 10)
          asked += burst
          const taken = await Promise.all(Array.from({ length: burst }, () => at(index).take('a', policy)))
          for (const { admitted, time } of taken) if (admitted) times.push(Number(time))
        }
      }
      await Promise.all(Array.from({ length: 12 }, (_, index) => arrive(index)))
      process.stdout.write(`of ${asked} arrivals ${times.length} were admitted\n`)
      expect(mostInAnyWindow(times, 600_000)).toBe(requests)
      // A slow machine may ask too seldom.
      expect(times.length).toBeGreaterThanOrEqual(Math.min(atLeast, asked / 4))
    },
  )

  it.each([5, 300])('do not count refunded requests, of %i', async (requests) => {
    const policy = policyOf(requests, 60)
    for (let n = 0; n < 50; n += 1) {
      const { admitted, refund } = await at(n).take('a', policy)
      expect(admitted).toBe(true)
      refund()
      await expect.poll(async () => (await probeOf(n, policy)) > requests - 2, { interval: 1 }).toBe(true)
    }
  })

  /** How many requests remain, without counting one. */
  async function probeOf(index: number, policy: RatePolicy): Promise<number> {
    const { admitted, remaining, refund } = await at(index).take('a', policy)
    refund()
    await sleep(2)
    return admitted ? remaining : -1
  }
})

describeWithOwnRedis('what a window keeps in Redis', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedisServer()
  })
  afterAll(() => server?.stop())

  async function keysWithoutEnd(): Promise<{ keys: number; endless: number; usedBytes: number }> {
    const client = createClient({ url: server.url })
    await client.connect()
    let keys = 0
    let endless = 0
    for await (const some of client.scanIterator({ COUNT: 1_000 })) {
      const lives = await Promise.all(some.map((key) => client.pTTL(key)))
      keys += lives.length
      endless += lives.filter((life) => life === -1).length
    }
    const info = await client.info('memory')
    const usedBytes = Number(/used_memory:(\d+)/.exec(info)?.[1])
    client.destroy()
    return { keys, endless, usedBytes }
  }

  it('take at most 20 MB for 100,000 clients, expire by themselves, and name none of them', async () => {
    const before = await keysWithoutEnd()
    const connection = await whenReady(openRedis(server.url, log, { name: 'test' }))
    const window = createRedisSlidingWindow(connection)
    const policy = { name: 'strict', requests: 5, seconds: 60 }
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < 100_000) {
        const subject = `203.0.${next >> 8}.${next & 255}`
        next += 1
        await window.take(subject, policy)
      }
    }
    await Promise.all(Array.from({ length: 50 }, worker))
    const after = await keysWithoutEnd()
    process.stdout.write(`100,000 clients take ${after.usedBytes - before.usedBytes} bytes of Redis\n`)
    expect(after).toMatchObject({ keys: 100_000, endless: 0 })
    expect(after.usedBytes - before.usedBytes).toBeLessThan(20_000_000)
    await connection.close()
  })

  it('stay as long as a lease counts, which what comes behind it does not shorten', async () => {
    const connection = await whenReady(openRedis(server.url, log, { name: 'test' }))
    const window = createRedisSlidingWindow(connection)
    const policy = policyOf(100, 60)
    await window.take('a', policy, 90, 30_000)
    await window.take('a', policy)
    const client = createClient({ url: server.url })
    await client.connect()
    const [key = ''] = await client.keys(`*${policy.name}*`)
    expect(await client.pTTL(key)).toBeGreaterThan(80_000)
    expect(await client.strLen(key)).toBe(12)
    client.destroy()
    expect(await window.take('a', policy, 10)).toMatchObject({ admitted: false })
    await connection.close()
  })

  it('expire by themselves if a gateway dies during a burst', async () => {
    const connection = await whenReady(openRedis(server.url, log, { name: 'test' }))
    const window = createRedisSlidingWindow(connection)
    const policy = policyOf(600, 60)
    const burst = Array.from({ length: 2_000 }, (_, n) => window.take(`key ${n}`, policy).catch(() => null))
    await sleep(5)
    await connection.close()
    await Promise.all(burst)
    expect((await keysWithoutEnd()).endless).toBe(0)
  })
})
