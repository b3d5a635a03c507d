import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { describeWithOwnRedis } from '../testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '../testing/redis-server.js'
import { openRedis, type RedisConnection } from './redis-connection.js'

let server: RedisServer
let redis: RedisConnection
let logged: string

function open(url: string): RedisConnection {
  const destination = {
    write: (line: string) => {
      logged += line
    },
  }
  return openRedis(url, createLogger('test', 'info', destination), { name: 'test' })
}

const isUp = (): Promise<boolean> =>
  redis
    .script('return 1')([], [])
    .then(
      () => true,
      () => false,
    )

/** How many connections the server has accepted so far. */
async function clientsSince(admin: { info(section: string): Promise<string> }): Promise<number> {
  return Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1])
}

describeWithOwnRedis('a connection to Redis', () => {
  beforeEach(async () => {
    logged = ''
    server = await startRedisServer(['--requirepass', 'a-secret'])
    redis = open(`redis://:a-secret@127.0.0.1:${server.port}`)
    await expect.poll(isUp, { interval: 20 }).toBe(true)
  })
  afterEach(async () => {
    await redis.close()
    await server.stop()
  })

  it('runs a script by its hash, and loads it again when Redis has lost it', async () => {
    const add = redis.script('return tonumber(ARGV[1]) + #KEYS')
    expect(await add(['a', 'b'], ['40'])).toBe(42)
    await redis
      .script("redis.call('SCRIPT', 'FLUSH') return 1")([], [])
      .catch(() => {})
    await server.kill()
    await server.restart()
    await expect.poll(isUp, { interval: 20 }).toBe(true)
    expect(await add(['a'], ['1'])).toBe(2)
  })

  it('fails immediately while Redis is down and in 100 ms while it is frozen, and logs it once', async () => {
    const run = redis.script('return 1')
    server.freeze()
    const waits: number[] = []
    for (let n = 0; n < 5; n += 1) {
      const askedAt = performance.now()
      await expect(run([], [])).rejects.toThrow('longer than 100 ms')
      waits.push(performance.now() - askedAt)
    }
    // The median: a busy machine may be late once.
    expect(waits.toSorted((a, b) => a - b)[2]).toBeLessThan(200)
    server.thaw()
    await server.kill()
    await expect.poll(isUp).toBe(false)
    const responses: unknown[] = []
    const goneAt = performance.now()
    // A matcher for each would take longer than what is measured.
    for (let n = 0; n < 100; n += 1) responses.push(await run([], []).catch((error: unknown) => error))
    responses.push(await redis.publish('c', 'm').catch((error: unknown) => error))
    // Had each waited for its timeout, it would be ten seconds.
    expect(performance.now() - goneAt).toBeLessThan(500)
    expect(responses.filter((response) => !(response instanceof Error))).toEqual([])
    await sleep(1_200)
    await server.restart()
    await expect.poll(isUp, { interval: 20 }).toBe(true)
    expect(logged.match(/cannot be reached/g)).toHaveLength(1)
    expect(logged.match(/can be reached again/g)).toHaveLength(1)
    expect(logged).not.toContain('a-secret')
  })

  it('counts as lost while Redis is frozen, even if something is published all the time', async () => {
    server.freeze()
    await expect
      .poll(
        async () => {
          await redis.publish('news', 'one').catch(() => {})
          return logged
        },
        { interval: 150 },
      )
      .toContain('cannot be reached')
    server.thaw()
    await expect.poll(isUp, { interval: 20 }).toBe(true)
  })

  it('delivers messages, and reports when some may have been missed', async () => {
    const messages: string[] = []
    let interruptions = 0
    redis.subscribe('news', {
      onMessage: (message) => messages.push(message),
      onInterrupted: () => {
        interruptions += 1
      },
    })
    await expect.poll(() => interruptions).toBe(1)
    await redis.publish('news', 'one')
    await redis.publish('other', 'not for us')
    await expect.poll(() => messages).toEqual(['one'])
    await server.kill()
    await expect.poll(() => interruptions).toBeGreaterThan(1)
    const whileGone = interruptions
    await server.restart()
    // Once more when it is back, for messages published in between.
    await expect
      .poll(
        async () => {
          await redis.publish('news', 'two').catch(() => {})
          return messages.includes('two')
        },
        { interval: 50 },
      )
      .toBe(true)
    expect(interruptions).toBeGreaterThan(whileGone)
  })

  it('leaves a node that became a replica, and is back when there is a primary again', async () => {
    const other = await startRedisServer(['--requirepass', 'a-secret', '--masterauth', 'a-secret'])
    const admin = createClient({ url: `redis://:a-secret@127.0.0.1:${server.port}` })
    const messages: string[] = []
    redis.subscribe('news', { onMessage: (message) => messages.push(message), onInterrupted: () => {} })
    try {
      await admin.connect()
      await admin.configSet('masterauth', 'a-secret')
      await admin.sendCommand(['REPLICAOF', '127.0.0.1', String(other.port)])
      // Nobody runs a script that writes: the process that revokes keys only publishes.
      await expect.poll(() => logged, { interval: 20 }).toContain('it is a read-only replica')
      await expect(redis.publish('news', 'lost')).rejects.toThrow('it is a read-only replica')
      const before = await clientsSince(admin)
      await expect.poll(() => clientsSince(admin), { interval: 20 }).toBeGreaterThan(before)
      await admin.sendCommand(['REPLICAOF', 'NO', 'ONE'])
      await expect.poll(isUp, { interval: 20 }).toBe(true)
      await redis.publish('news', 'heard')
      await expect.poll(() => messages).toEqual(['heard'])
      expect(logged.match(/cannot be used/g)).toHaveLength(1)
      expect(logged.match(/can be reached again/g)).toHaveLength(1)
    } finally {
      admin.destroy()
      await other.stop()
    }
  })

  it('refuses a node of a cluster, and says so once', async () => {
    const cluster = await startRedisServer(['--cluster-enabled', 'yes'])
    const connection = open(cluster.url)
    const admin = createClient({ url: cluster.url })
    try {
      await expect.poll(() => logged, { interval: 20 }).toContain('node of a Redis Cluster')
      await expect(connection.script('return 1')([], [])).rejects.toThrow('node of a Redis Cluster')
      await admin.connect()
      const before = await clientsSince(admin)
      await expect.poll(() => clientsSince(admin), { interval: 20 }).toBeGreaterThan(before + 1)
      expect(logged.match(/cannot be used/g)).toHaveLength(1)
      expect(logged).not.toContain('can be reached again')
    } finally {
      admin.destroy()
      await connection.close()
      await cluster.stop()
    }
  })

  it('can be opened and closed while Redis is not running', async () => {
    const early = openRedis('redis://127.0.0.1:1', createLogger('test', 'silent'), { name: 'test' })
    early.subscribe('news', { onMessage: () => {}, onInterrupted: () => {} })
    await expect(early.script('return 1')([], [])).rejects.toThrow()
    await early.close()
  })
})
