import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { serverUser } from '#libs/embedded-postgres/server-user.js'
import { pageFence } from '#libs/testing/page-fence.js'
import { startTestProcess } from '#libs/testing/test-process.js'
import { signalAll, withChildren } from './process-tree.js'

/** The superuser of the cluster, and its password. */
export const patroniLogin = { username: 'postgres', password: 'the-password' }

/** Where a node listens on loopback. */
export interface NodePorts {
  readonly postgres: number
  readonly patroni: number
}

/** A machine with Patroni and a Postgres; what happens to it happens to both. */
export interface PatroniNode {
  readonly name: string
  readonly ports: NodePorts
  kill(): void
  freeze(): void
  thaw(): void
  /** Starts it again after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The settings that docs/growing.md shows, and where everything of this node is. */
function settingsOf(
  name: string,
  ports: NodePorts,
  etcdPort: number,
  binDir: string,
  folder: string,
): string {
  const shown = pageFence('docs/growing.md', 'etcd:\n', [[/hosts: .*/, `hosts: 127.0.0.1:${etcdPort}`]])
  const { username, password } = patroniLogin
  return `
scope: snipkeep
name: ${name}
restapi:
  listen: 127.0.0.1:${ports.patroni}
  connect_address: 127.0.0.1:${ports.patroni}
postgresql:
  listen: 127.0.0.1:${ports.postgres}
  connect_address: 127.0.0.1:${ports.postgres}
  data_dir: ${folder}/data
  bin_dir: ${binDir}
  pgpass: ${folder}/pgpass
  pg_hba: [host all all 127.0.0.1/32 scram-sha-256, host replication all 127.0.0.1/32 scram-sha-256]
  parameters:
    unix_socket_directories: ${folder}
  authentication:
    superuser: { username: ${username}, password: ${password} }
    replication: { username: replicator, password: ${password} }
${shown}`
}

/** The server in a folder and its sessions; none if it does not run. */
function postgresOf(dataDir: string): readonly number[] {
  try {
    const pid = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    // After a crash, the id in the file may be that of another process.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir) ? withChildren(pid) : []
  } catch {
    return []
  }
}

/** Starts Patroni, which starts a Postgres and joins the cluster. */
export async function startPatroniNode(
  name: string,
  ports: NodePorts,
  etcdPort: number,
  binDir: string,
): Promise<PatroniNode> {
  let machine: { readonly patroni: ChildProcess; readonly folder: string } | undefined
  const processes = (): readonly number[] => {
    if (machine === undefined) return []
    const { patroni, folder } = machine
    return [...withChildren(patroni.pid ?? 0), ...postgresOf(join(folder, 'data'))]
  }
  const kill = (): void => signalAll(processes(), 'SIGKILL')
  process.once('exit', kill)
  const patroni = await startTestProcess(name, async (folder) => {
    const file = join(folder, 'patroni.yml')
    writeFileSync(file, settingsOf(name, ports, etcdPort, binDir, folder))
    const user = await serverUser(folder)
    if (user !== null) await chown(folder, user.uid, user.gid)
    const child = spawn('patroni', [file], { stdio: 'ignore', ...user })
    machine = { patroni: child, folder }
    return child
  })
  let frozen: readonly number[] = []
  return {
    name,
    ports,
    kill,
    freeze() {
      frozen = processes()
      signalAll(frozen, 'SIGSTOP')
    },
    thaw: () => signalAll(frozen, 'SIGCONT'),
    restart: patroni.restart,
    async stop() {
      kill()
      process.off('exit', kill)
      await patroni.stop()
    },
  }
}
