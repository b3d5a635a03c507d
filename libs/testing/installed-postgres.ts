import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { layoutOf, superuser } from '../embedded-postgres/cluster.js'
import { readPostmasterPid } from '../embedded-postgres/postmaster-pid.js'
import { spawnServer, stopServer, stopWithUs } from '../embedded-postgres/server-process.js'
import { giveTo, serverUser } from '../embedded-postgres/server-user.js'
import { freePort } from '../runtime/free-port.js'

/** Where Debian puts its versions of Postgres. */
const debianFolder = '/usr/lib/postgresql'

/** The folders with these programs of Postgres: PG_BIN alone if it is set, else those of PATH, then Debian's, newest first. */
export function foldersWith(...names: readonly string[]): readonly string[] {
  const { PG_BIN = '', PATH = '' } = process.env
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one))
  const found = [...PATH.split(':'), ...newestFirst.map((name) => join(debianFolder, name, 'bin'))]
  const hasAll = (folder: string): boolean => names.every((name) => existsSync(join(folder, name)))
  return (PG_BIN === '' ? found : [PG_BIN]).filter(hasAll)
}

/** The first of these folders; `null` if there is none. */
export function installedPrograms(...names: readonly string[]): string | null {
  return foldersWith(...names)[0] ?? null
}

/** A running Postgres that is installed on this machine. */
export interface InstalledPostgres {
  /** The URL of its superuser, including the password. */
  readonly url: string
  /** Stops it; resolves when it is gone. */
  stop(): Promise<void>
}

/** Makes an empty cluster in a folder, as `startEmbeddedPostgres` lays it out. */
async function makeCluster(bin: string, dataDir: string): Promise<void> {
  const layout = layoutOf(dataDir)
  await writeFile(layout.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  const user = await serverUser(layout.cluster)
  await giveTo(user, dataDir)
  const login = [`--username=${superuser}`, '--auth=scram-sha-256', `--pwfile=${layout.password}`]
  const args = [`--pgdata=${layout.cluster}`, ...login, '--encoding=UTF8', '--locale=C', '--no-instructions']
  await promisify(execFile)(join(bin, 'initdb'), args, { cwd: dataDir, ...user })
}

/**
 * Starts the Postgres of a folder of programs, which stops when this process ends.
 * @param dataDir belongs to this server alone; without a cluster it gets an empty one.
 */
export async function startInstalledPostgres(
  bin: string,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<InstalledPostgres> {
  const layout = layoutOf(dataDir)
  if (!existsSync(layout.cluster)) await makeCluster(bin, dataDir)
  const password = (await readFile(layout.password, 'utf8')).trim()
  const binaries = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), majorVersion: '' }
  const port = await freePort()
  const user = await serverUser(layout.cluster)
  const server = await spawnServer(dataDir, binaries, user, port, settings)
  const pid = server.child.pid ?? 0
  const callOff = stopWithUs(pid)
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  while ((await readPostmasterPid(layout.cluster))?.ready !== true) {
    if (ended) throw new Error(`Postgres could not start: ${await server.output()}`)
    await sleep(15)
  }
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      callOff()
      await stopServer(pid)
      await server.exited
    },
  }
}
