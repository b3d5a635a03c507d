import { spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pageFence } from '#libs/testing/page-fence.js'
import { testPort } from '#libs/testing/test-port.js'
import { startTestProcess, type TestProcess } from '#libs/testing/test-process.js'
import { type PatroniNode, patroniLogin, startPatroniNode } from './patroni-node.js'
import { until } from './until.js'

/** Three nodes of Postgres with Patroni, and HAProxy, which sends sessions to the primary. */
export interface PatroniCluster {
  /** The superuser's address of the primary, whichever node it is. */
  readonly url: string
  /** Resolves when one node is the primary, both others follow it, and one of them synchronously. */
  untilWhole(): Promise<void>
  primary(): Promise<PatroniNode>
  /** Makes the synchronous standby the primary. */
  switchOver(): Promise<void>
  stop(): Promise<void>
}

/** A node that crashed recovers, is rewound and follows, which takes longer than a minute on a busy machine. */
const wholeWithinMs = 180_000

/** The programs of Debian's newest Postgres; `null` without one. */
export function postgresBinDir(): string | null {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root) : []
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'pg_rewind'))) ?? null
}

function startEtcd(port: number, peerPort: number): Promise<TestProcess> {
  const [clients, peers] = [port, peerPort].map((one) => `http://127.0.0.1:${one}`)
  const addresses = [
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', `default=${peers}`],
  ]
  return startTestProcess('etcd', async (folder) =>
    spawn('etcd', ['--data-dir', join(folder, 'data'), '--enable-v2', ...addresses.map(String)], {
      stdio: 'ignore',
    }),
  )
}

/** HAProxy as docs/growing.md shows it, on this port. */
function startHaproxy(port: number, nodes: readonly PatroniNode[]): Promise<TestProcess> {
  const servers = nodes.map(
    ({ name, ports }) => `  server ${name} 127.0.0.1:${ports.postgres} port ${ports.patroni}\n`,
  )
  const shown = pageFence('docs/growing.md', 'listen postgres\n', [
    ['127.0.0.1:5432', `127.0.0.1:${port}`],
    [/( {2}server .*\n)+/, servers.join('')],
  ])
  return startTestProcess('haproxy', async (folder) => {
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, `defaults\n  timeout connect 1s\n${shown}`)
    return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  })
}

/** Whether a node says that it is a `primary`, a `replica` or a synchronous one, `sync`. */
async function hasRole(role: string, { ports }: PatroniNode): Promise<boolean> {
  const url = `http://127.0.0.1:${ports.patroni}/${role}`
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 200
}

async function nodesWith(role: string, nodes: readonly PatroniNode[]): Promise<readonly PatroniNode[]> {
  const have = await Promise.all(nodes.map((node) => hasRole(role, node)))
  return nodes.filter((_node, index) => have[index])
}

async function isPrimary(url: string): Promise<boolean> {
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  db.on('error', () => {})
  try {
    await db.connect()
    const { rows } = await db.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
    return rows[0]?.standby === false
  } catch {
    return false
  } finally {
    await db.end().catch(() => {})
  }
}

/** Starts everything and resolves when it is whole. */
export async function startPatroniCluster(binDir: string): Promise<PatroniCluster> {
  const [etcdPort, proxyPort] = [await testPort(), await testPort()]
  const etcd = await startEtcd(etcdPort, await testPort())
  const nodes: PatroniNode[] = []
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const ports = { postgres: await testPort(), patroni: await testPort() }
    nodes.push(await startPatroniNode(name, ports, etcdPort, binDir))
  }
  const proxy = await startHaproxy(proxyPort, nodes)
  const { username, password } = patroniLogin
  const url = `postgres://${username}:${password}@127.0.0.1:${proxyPort}/postgres`
  const untilWhole = async (): Promise<void> => {
    let found = ''
    const isWhole = async (): Promise<boolean> => {
      const roles = ['primary', 'replica', 'sync'] as const
      const counts = await Promise.all(roles.map(async (role) => (await nodesWith(role, nodes)).length))
      found = `${counts[0]} primaries, ${counts[1]} replicas, ${counts[2]} synchronous`
      return found === '1 primaries, 2 replicas, 1 synchronous' && isPrimary(url)
    }
    await until(isWhole, () => `the cluster is not whole: ${found}`, wholeWithinMs)
  }
  const primary = async (): Promise<PatroniNode> => {
    const [found, ...others] = await nodesWith('primary', nodes)
    if (found === undefined || others.length > 0) throw new Error('there is not exactly one primary')
    return found
  }
  const stop = async (): Promise<void> => {
    for (const one of [proxy, ...nodes, etcd]) await one.stop()
  }
  try {
    await untilWhole()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url,
    untilWhole,
    primary,
    async switchOver() {
      const { name, ports } = await primary()
      const body = JSON.stringify({ leader: name })
      const answer = await fetch(`http://127.0.0.1:${ports.patroni}/switchover`, { method: 'POST', body })
      if (answer.status !== 200) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
    },
    stop,
  }
}
