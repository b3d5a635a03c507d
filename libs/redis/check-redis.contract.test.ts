import { createServer } from 'node:net'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithOwnRedis } from '../testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '../testing/redis-server.js'
import { checkRedis, evictionFinding, latencyFinding, redisVersionFinding } from './check-redis.js'
import { openAnnouncer } from './open-announcer.js'

async function seen(url: string | null): Promise<Record<string, string>> {
  return Object.fromEntries((await checkRedis(url)).map(({ check, verdict }) => [check, verdict]))
}

const well = {
  redis: 'ok',
  'redis version': 'ok',
  'redis eviction': 'ok',
  'redis writing': 'ok',
  'redis latency': 'ok',
  'redis clock': 'ok',
}

test('without REDIS_URL nothing is checked', async () => {
  expect(await seen(null)).toEqual({ redis: 'skipped' })
})

test('versions from 6.2 on are ok', () => {
  const verdicts = ['6.0.16', '6.2.0', '7.2.4', '8.0.1'].map(
    (version) => redisVersionFinding(version).verdict,
  )
  expect(verdicts).toEqual(['problem', 'ok', 'ok', 'ok'])
})

test('evictable keys and a slow response are warnings, and one over 100 ms is a problem', () => {
  expect(evictionFinding('allkeys-lru', 0).verdict).toBe('ok')
  expect(evictionFinding('noeviction', 1_000).verdict).toBe('ok')
  expect(evictionFinding('volatile-ttl', 1_000)).toMatchObject({
    verdict: 'warning',
    remedy: 'redis-cli CONFIG SET maxmemory-policy noeviction',
  })
  expect([5, 21, 101].map((ms) => latencyFinding(ms).verdict)).toEqual(['ok', 'warning', 'problem'])
})

test('an address without a server, or with a silent one, is a problem', async () => {
  expect(await seen('redis://127.0.0.1:1')).toEqual({ redis: 'problem' })
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const address = silent.address()
  try {
    expect(await seen(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)).toEqual({
      redis: 'problem',
    })
  } finally {
    silent.close()
  }
})

describeWithOwnRedis('a Redis of our own', () => {
  let primary: RedisServer
  let replica: RedisServer

  beforeAll(async () => {
    primary = await startRedisServer([
      '--requirepass',
      'the-secret-word',
      '--maxmemory',
      '50mb',
      '--maxmemory-policy',
      'allkeys-lru',
    ])
    replica = await startRedisServer(['--replicaof', '127.0.0.1', '1'])
  })
  afterAll(async () => {
    await primary.stop()
    await replica.stop()
  })

  test('is ok, except that it may evict keys', async () => {
    const url = primary.url.replace('redis://', 'redis://:the-secret-word@')
    expect(await seen(url)).toEqual({ ...well, 'redis eviction': 'warning' })
  })

  test('with another password refuses, and the password is not reported', async () => {
    const findings = await checkRedis(primary.url.replace('redis://', 'redis://:another-word@'))
    expect(findings).toMatchObject([{ verdict: 'problem', remedy: 'fix the password in REDIS_URL' }])
    expect(JSON.stringify(findings)).not.toContain('word@')
  })

  test('that is a replica is read-only', async () => {
    const findings = await checkRedis(replica.url)
    expect(findings.find(({ check }) => check === 'redis writing')).toMatchObject({
      verdict: 'problem',
      remedy: expect.stringContaining('set REDIS_URL to the primary, not to a replica'),
    })
  })

  test('that is a replica announces nothing, and says so', async () => {
    const announcer = await openAnnouncer(replica.url)
    expect(await announcer.announce('news', 'one')).toBe('unreachable')
  })

  test('that is part of a cluster is refused, whichever slots it has', async () => {
    const cluster = await startRedisServer(['--cluster-enabled', 'yes'])
    try {
      const writing = async () =>
        (await checkRedis(cluster.url)).find(({ check }) => check === 'redis writing')
      const refused = { verdict: 'problem', message: expect.stringContaining('node of a Redis Cluster') }
      expect(await writing()).toMatchObject(refused)
      const client = createClient({ url: cluster.url })
      await client.connect()
      await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
      await expect.poll(() => client.sendCommand(['CLUSTER', 'INFO'])).toContain('cluster_state:ok')
      client.destroy()
      expect(await writing()).toMatchObject(refused)
    } finally {
      await cluster.stop()
    }
  })
})
