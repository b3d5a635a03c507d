import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { pageFence } from './page-fence.js'
import { describeWithPrograms } from './programs.js'
import { type RedisServer, startRedisServer } from './redis-server.js'
import { testPort } from './test-port.js'
import { startTestProcess } from './test-process.js'

const password = 'the-password'

/** Two servers of Redis, of which Sentinel makes one the primary, and HAProxy, which sends connections to it. */
export interface RedisFailover {
  /** The address of the primary, whichever server it is. */
  readonly url: string
  /** The primary at the start. */
  readonly first: RedisServer
  readonly second: RedisServer
  /** Resolves when the second server has everything, and is known to the first: no other can be promoted. */
  untilInStep(): Promise<void>
  /** Resolves when a server says that it is the primary, or a replica. */
  untilRole(server: RedisServer, role: 'master' | 'slave'): Promise<void>
  stop(): Promise<void>
}

/** Tests that start Redis with Sentinel behind HAProxy; without these they are reported as skipped, with the reason. */
export function describeWithSentinel(name: string, cases: () => void): void {
  const programs = { 'redis-server': '--version', 'redis-sentinel': '--version', haproxy: '-v' }
  describeWithPrograms(name, programs, cases)
}

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

/** What a server says of its replication; nothing while it is down or frozen. */
async function replicationOf({ port }: RedisServer): Promise<string> {
  const args = ['-a', password, '--no-auth-warning', '-p', String(port), 'info', 'replication']
  return promisify(execFile)('redis-cli', args, { timeout: 1_000 }).then(
    ({ stdout }) => stdout,
    () => '',
  )
}

/** Starts everything, with the settings of docs/growing.md but a faster Sentinel. */
export async function startRedisFailover(): Promise<RedisFailover> {
  const secrets = ['--requirepass', password, '--masterauth', password]
  const first = await startRedisServer(secrets)
  const second = await startRedisServer([...secrets, '--replicaof', '127.0.0.1', String(first.port)])
  const [sentinelPort, proxyPort] = [await testPort(), await testPort()]
  const sentinel = await startTestProcess('sentinel', async (folder) => {
    writeFileSync(join(folder, 'sentinel.conf'), sentinelOf(sentinelPort, first.port))
    return spawn('redis-sentinel', [join(folder, 'sentinel.conf')], { stdio: 'ignore' })
  })
  const proxy = await startTestProcess('haproxy', async (folder) => {
    writeFileSync(join(folder, 'haproxy.cfg'), haproxyOf(proxyPort, [first, second]))
    return spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  })
  const untilSays = (server: RedisServer, text: string): Promise<void> =>
    expect.poll(() => replicationOf(server), { interval: 50, timeout: 60_000 }).toContain(text)
  return {
    url: `redis://:${password}@127.0.0.1:${proxyPort}`,
    first,
    second,
    async untilInStep() {
      await untilSays(second, 'master_link_status:up')
      await untilSays(first, 'state=online')
    },
    untilRole: (server, role) => untilSays(server, `role:${role}`),
    async stop() {
      for (const one of [proxy, sentinel, second, first]) await one.stop()
    },
  }
}
