import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { openRedis, type RedisConnection } from '#libs/redis/redis-connection.js'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import { type Relay, startRelay } from '#libs/testing/relay.js'
import { testPort } from '#libs/testing/test-port.js'
import { createLimiterWithFallback, type Limiter } from './limiter.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import { createLeases } from './redis-leases.js'
import { createRedisSlidingWindow } from './redis-sliding-window.js'

const strict = { name: 'strict', requests: 5, seconds: 60 }
const gateways = 3
/** Enough that fewer than one in a hundred fall into the first 40 ms, in which requests may wait for Redis. */
const requestsMax = 1_000

interface Gateway {
  readonly connection: RedisConnection
  readonly limiter: Limiter
  readonly said: string[]
}

/** Three gateways, the Redis that they share, and the relay between them. */
interface Site {
  readonly server: RedisServer
  readonly relay: Relay
  readonly fleet: readonly Gateway[]
  close(): Promise<void>
}

function open(url: string): Gateway {
  const said: string[] = []
  const connection = openRedis(url, createLogger('test', 'silent'), { name: 'test' })
  const now = (): number => performance.now()
  const limiter = createLimiterWithFallback({
    shared: createLeases(createRedisSlidingWindow(connection), now),
    own: createMemorySlidingWindow(now),
    lag: connection.lag,
    log: {
      warn: (_fields: object, line: string) => said.push(line),
      info: (_fields: object, line: string) => said.push(line),
    },
  })
  return { connection, limiter, said }
}

async function openSite(): Promise<Site> {
  const server = await startRedisServer(['--maxmemory-policy', 'noeviction'])
  const relay = await startRelay(server.port)
  const fleet = Array.from({ length: gateways }, () => open(`redis://127.0.0.1:${relay.port}`))
  const site = {
    server,
    relay,
    fleet,
    async close() {
      for (const { limiter, connection } of fleet) {
        await limiter.close()
        await connection.close()
      }
      relay.close()
      await server.stop()
    },
  }
  await untilExact(site)
  return site
}

const limiterOf = ({ fleet }: Site, index: number): Limiter => {
  const gateway = fleet[index % fleet.length]
  if (gateway === undefined) throw new Error('no gateway')
  return gateway.limiter
}

/** Waits until the three gateways together admit exactly five requests of a new subject. */
async function isExact(site: Site): Promise<boolean> {
  const subject = `fresh ${Math.random()}`
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, n) => limiterOf(site, n).take(subject, strict)),
  )
  return responses.filter(({ admitted }) => admitted).length === 5
}

async function untilExact(site: Site, timeoutMs = 30_000): Promise<number> {
  const startedAt = performance.now()
  while (!(await isExact(site))) {
    if (performance.now() - startedAt > timeoutMs) throw new Error(`not exact after ${timeoutMs} ms`)
    await sleep(20)
  }
  return performance.now() - startedAt
}

async function command({ server }: Site, ...args: string[]): Promise<void> {
  const client = createClient({ url: server.url })
  await client.connect()
  await client.sendCommand(args)
  client.destroy()
}

/** A hundred requests a second for ten seconds during the fault: how long each took, and how many were admitted. */
async function requests(site: Site, subject: string): Promise<{ admitted: number; tookMs: number[] }> {
  const tookMs: number[] = []
  let admitted = 0
  const send = async (index: number): Promise<void> => {
    const startedAt = performance.now()
    const response = await limiterOf(site, index).take(subject, strict)
    tookMs.push(performance.now() - startedAt)
    if (response.admitted) admitted += 1
  }
  const sent: Promise<void>[] = []
  for (let n = 0; n < requestsMax; n += 1) {
    sent.push(send(n))
    await sleep(10)
  }
  await Promise.all(sent)
  return { admitted, tookMs: tookMs.sort((a, b) => a - b) }
}

interface Fault {
  readonly name: string
  /** Whether Redis fails at once. Otherwise a timeout passes, and a concurrent test would distort its measurement. */
  readonly atOnce: boolean
  begin(site: Site): unknown
  end(site: Site): unknown
}

const faults: readonly Fault[] = [
  {
    name: 'it is killed',
    atOnce: true,
    begin: ({ server }) => server.kill(),
    end: ({ server }) => server.restart(),
  },
  {
    name: 'it is frozen',
    atOnce: false,
    begin: ({ server }) => server.freeze(),
    end: ({ server }) => server.thaw(),
  },
  {
    name: 'it is out of memory',
    atOnce: true,
    begin: (site) => command(site, 'CONFIG', 'SET', 'maxmemory', '1'),
    end: (site) => command(site, 'CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'it is a read-only replica of a primary that is gone',
    atOnce: true,
    begin: async (site) => command(site, 'REPLICAOF', '127.0.0.1', String(await testPort())),
    end: (site) => command(site, 'REPLICAOF', 'NO', 'ONE'),
  },
  {
    name: 'it has no good replica to write to',
    atOnce: true,
    begin: (site) => command(site, 'CONFIG', 'SET', 'min-replicas-to-write', '1'),
    end: (site) => command(site, 'CONFIG', 'SET', 'min-replicas-to-write', '0'),
  },
  {
    name: 'it is 200 ms away',
    atOnce: false,
    begin: ({ relay }) => relay.impair({ delayMs: 100 }),
    end: ({ relay }) => relay.impair({ delayMs: 0 }),
  },
  {
    name: 'it takes no writes for a while',
    atOnce: false,
    begin: (site) => command(site, 'CLIENT', 'PAUSE', '60000', 'ALL'),
    end: ({ server }) => server.kill().then(() => server.restart()),
  },
]

async function goOn({ name, begin, end }: Fault): Promise<void> {
  const site = await openSite()
  try {
    await begin(site)
    const lag = monitorEventLoopDelay({ resolution: 1 })
    lag.enable()
    const { admitted, tookMs } = await requests(site, 'a client')
    lag.disable()
    const [p99 = 0, slowest = 0] = [tookMs[Math.floor(tookMs.length * 0.99)], tookMs.at(-1)]
    await end(site)
    const backMs = await untilExact(site, 2_000)
    process.stdout.write(
      `${name}: ${admitted} of ${requestsMax} admitted, p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms, exact again after ${backMs.toFixed(0)} ms\n`,
    )
    expect(admitted).toBeGreaterThanOrEqual(strict.requests)
    expect(admitted).toBeLessThanOrEqual(strict.requests * gateways)
    // On a busy machine, this process itself is late.
    expect(p99).toBeLessThan(50 + lag.percentile(99) / 1e6)
    for (const { said } of site.fleet) {
      expect(said.at(-2)).toBe('rate limits are per process until Redis is back')
      expect(said.at(-1)).toBe('rate limits are shared through Redis again')
    }
  } finally {
    await site.close()
  }
}

describeWithOwnRedis('limits while Redis fails', () => {
  const sentence = 'go on by process when $name, within 50 ms, and are exact again within two seconds'
  it.concurrent.each(faults.filter(({ atOnce }) => atOnce))(sentence, goOn)
  it.each(faults.filter(({ atOnce }) => !atOnce))(sentence, goOn)
})

describeWithOwnRedis('limits when Redis fails', () => {
  let site: Site
  beforeEach(async () => {
    site = await openSite()
  })
  afterEach(() => site.close())

  it('also count in memory what Redis admitted, so that a fallback gives no one a second budget at the same gateway', async () => {
    const limiter = limiterOf(site, 0)
    for (let n = 0; n < 5; n += 1) expect((await limiter.take('a', strict)).admitted).toBe(true)
    await site.server.kill()
    expect((await limiter.take('a', strict)).admitted).toBe(false)
    expect((await limiter.take('b', strict)).admitted).toBe(true)
  })

  it('start without Redis, and use it once it is available', async () => {
    const port = site.server.url
    await site.server.kill()
    const late = open(port)
    for (let n = 0; n < 5; n += 1) expect((await late.limiter.take('a', strict)).admitted).toBe(true)
    expect((await late.limiter.take('a', strict)).admitted).toBe(false)
    await site.server.restart()
    await untilExact(site)
    await expect.poll(() => late.said.at(-1)).toBe('rate limits are shared through Redis again')
    await late.limiter.close()
    await late.connection.close()
  })

  it('reject a flood locally: Redis is asked once a second for a client beyond its limit', async () => {
    const calls = async (): Promise<number> => {
      const client = createClient({ url: site.server.url })
      await client.connect()
      const info = await client.info('commandstats')
      client.destroy()
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1] ?? 0)
    }
    for (let n = 0; n < 6; n += 1) await limiterOf(site, 0).take('a', strict)
    const before = await calls()
    const until = performance.now() + 2_000
    let refused = 0
    while (performance.now() < until) {
      for (let n = 0; n < 100; n += 1) {
        if (!(await limiterOf(site, 0).take('a', strict)).admitted) refused += 1
      }
      await sleep(1)
    }
    expect(refused).toBeGreaterThan(1_000)
    expect((await calls()) - before).toBeLessThan(5)
  })
})
