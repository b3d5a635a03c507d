import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../log/logger.js'
import { pageFence } from '../testing/page-fence.js'
import { type RedisServer, startRedisServer } from '../testing/redis-server.js'
import { testPort } from '../testing/test-port.js'
import { startTestProcess, type TestProcess } from '../testing/test-process.js'
import { openRedis, type RedisConnection } from './redis-connection.js'

const needed = { 'redis-server': '--version', 'redis-sentinel': '--version', haproxy: '-v' }
const missing = Object.entries(needed).flatMap(([program, version]) =>
  spawnSync(program, [version]).status === 0 ? [] : [program],
)
const title = 'Redis with Sentinel behind HAProxy'
const reason = `(needs ${missing.join(', ')}; Debian: apt-get install redis-server redis-sentinel haproxy)`

const password = 'the-password'
const sentinelOf = (port: number, primaryPort: number): string => `
port ${port}
bind 127.0.0.1
sentinel monitor limits 127.0.0.1 ${primaryPort} 1
sentinel auth-pass limits ${password}
sentinel down-after-milliseconds limits 1000
sentinel failover-timeout limits 5000
`

/** The settings that docs/growing.md shows, for these servers. */
function haproxyOf(port: number, servers: readonly RedisServer[]): string {
  const lines = servers.map((server, index) => `  server redis${index} 127.0.0.1:${server.port}\n`)
  const settings = pageFence('docs/growing.md', 'listen redis\n', [
    ['127.0.0.1:6379', `127.0.0.1:${port}`],
    [/( {2}server .*\n)+/, lines.join('')],
  ])
  return `defaults\n  timeout connect 1s\n${settings}`
}

describe.runIf(missing.length === 0)(missing.length === 0 ? title : `${title} ${reason}`, () => {
  let servers: readonly RedisServer[] = []
  let others: readonly TestProcess[] = []
  let redis: RedisConnection
  let logged = ''

  beforeAll(async () => {
    const secrets = ['--requirepass', password, '--masterauth', password]
    const primary = await startRedisServer(secrets)
    const replica = await startRedisServer([...secrets, '--replicaof', '127.0.0.1', String(primary.port)])
    servers = [primary, replica]
    const [sentinelPort, proxyPort] = [await testPort(), await testPort()]
    const sentinel = await startTestProcess('sentinel', async (folder) => {
      writeFileSync(join(folder, 'sentinel.conf'), sentinelOf(sentinelPort, primary.port))
      return spawn('redis-sentinel', [join(folder, 'sentinel.conf')], { stdio: 'ignore' })
    })
    const proxy = await startTestProcess('haproxy', async (folder) => {
      writeFileSync(join(folder, 'haproxy.cfg'), haproxyOf(proxyPort, servers))
      return spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
    })
    others = [proxy, sentinel]
    const destination = {
      write: (line: string) => {
        logged += line
      },
    }
    redis = openRedis(
      `redis://:${password}@127.0.0.1:${proxyPort}`,
      createLogger('test', 'info', destination),
      {
        name: 'test',
      },
    )
  })
  afterAll(async () => {
    await redis?.close()
    for (const one of [...others, ...servers]) await one.stop()
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
    const [primary, replica] = servers
    // Sentinel can only promote a replica that it knows and that is in step.
    await expect.poll(() => replicationOf(replica), { interval: 50 }).toContain('master_link_status:up')
    await expect.poll(() => replicationOf(primary), { interval: 50 }).toContain('state=online')
    await primary?.kill()
    await expect
      .poll(() => replicationOf(replica), { interval: 50, timeout: 60_000 })
      .toContain('role:master')
    await expect.poll(() => count().catch(() => 0), { interval: 50 }).toBeGreaterThan(0)
    await expect.poll(() => heard('after'), { interval: 50 }).toBe(true)
    expect(logged.match(/can be reached again/g)).toHaveLength(1)
  })
})

/** What a server says of its replication. */
function replicationOf(server: RedisServer | undefined): string {
  const args = ['-a', password, '--no-auth-warning', '-p', String(server?.port), 'info', 'replication']
  return spawnSync('redis-cli', args, { encoding: 'utf8' }).stdout ?? ''
}
