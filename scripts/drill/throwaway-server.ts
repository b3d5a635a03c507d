import { spawn } from 'node:child_process'
import { chown, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programEnvironment } from '#libs/embedded-postgres/program-environment.js'
import { stopWithUs } from '#libs/embedded-postgres/server-process.js'
import type { ServerUser } from '#libs/embedded-postgres/server-user.js'
import { withSession } from '#libs/postgres/table-digests.js'
import { freePort } from '#libs/runtime/free-port.js'
import type { Programs } from './programs.js'

/** A server that lives as long as the drill. */
export interface ThrowawayServer {
  readonly port: number
  /** The URL of a database on it. */
  urlOf(database: string): string
  stop(): Promise<void>
}

/** Where a drill keeps its servers, and the user who runs them. */
export interface Site {
  readonly home: string
  readonly programs: Programs
  readonly user: ServerUser | null
}

const superuser = 'drill'
const readyTimeoutMs = 120_000

/** Creates a folder that the servers' user may write to. */
export async function makeFolder({ home, user }: Site, name: string): Promise<string> {
  const path = join(home, name)
  await mkdir(path, { mode: 0o700 })
  if (user !== null) await chown(path, user.uid, user.gid)
  return path
}

/** Creates an empty cluster. */
export async function makeCluster(site: Site, name: string): Promise<string> {
  const folder = await makeFolder(site, name)
  const args = ['-D', folder, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C']
  await site.programs.run('initdb', args, site.user)
  return folder
}

async function untilOpen(url: string, ended: () => boolean): Promise<void> {
  for (const until = Date.now() + readyTimeoutMs; Date.now() < until; await sleep(50)) {
    if (ended()) throw new Error('The server ended; its log says why.')
    const open = await withSession(url, async (client) => {
      const { rows } = await client.query<{ open: boolean }>('SELECT NOT pg_is_in_recovery() AS open')
      return rows[0]?.open === true
    }).catch(() => false)
    if (open) return
  }
  throw new Error('The server did not open in time.')
}

/** Starts a server on a cluster and resolves when it accepts writes, after any recovery. */
export async function startServer(
  { programs, user, home }: Site,
  cluster: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ThrowawayServer> {
  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings }
  const log = await open(join(home, `server-${port}.log`), 'a')
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(programs.at('postgres'), ['-D', cluster, ...args], {
    cwd: '/',
    env: programEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
    ...user,
  })
  await log.close()
  let ended = false
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      ended = true
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  // If the drill is killed, nothing remains.
  const callOff = child.pid === undefined ? () => {} : stopWithUs(child.pid)
  const urlOf = (database: string): string => `postgres://${superuser}@127.0.0.1:${port}/${database}`
  const stop = async (): Promise<void> => {
    callOff()
    child.kill('SIGINT')
    await gone
  }
  try {
    await untilOpen(urlOf('postgres'), () => ended)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, urlOf, stop }
}
