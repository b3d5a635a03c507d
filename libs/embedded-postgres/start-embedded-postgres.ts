import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf } from '../core/message-of.js'
import { freePort } from '../runtime/free-port.js'
import { ensureCluster, layoutOf, superuser } from './cluster.js'
import { EmbeddedPostgresError } from './embedded-postgres-error.js'
import { findNativeFolder, preparePostgresBinaries, sharedCopies } from './postgres-binaries.js'
import { readPostmasterPid } from './postmaster-pid.js'
import { type ServerProcess, spawnServer, stopOrphan, stopServer, stopWithUs } from './server-process.js'
import { serverUser } from './server-user.js'

/** The data folder and settings of the server. */
export interface EmbeddedPostgresOptions {
  /** Created if it is missing; only one process at a time may start a server in it. */
  readonly dataDir: string
  readonly settings?: Readonly<Record<string, string>>
  /** Called with a sentence for anything slow or unusual. */
  readonly log: (sentence: string) => void
}

/** A server that accepts connections. */
export interface EmbeddedPostgres {
  /** The URL of its superuser, including the password. */
  readonly url: string
  readonly pid: number
  /** Resolves when the server has exited, for whatever reason. */
  readonly exited: Promise<void>
  /** Stops it cleanly; resolves when it is gone. */
  stop(): Promise<void>
}

const startsMax = 3

/** Waits until the server accepts connections; false if it exited instead. */
async function untilReady(
  server: ServerProcess,
  cluster: string,
  log: (sentence: string) => void,
): Promise<boolean> {
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  const startedAt = Date.now()
  for (let warned = false; !ended; await sleep(15)) {
    const note = await readPostmasterPid(cluster)
    if (note?.pid === server.child.pid && note?.ready === true) return true
    if (!warned && Date.now() - startedAt > 5_000) {
      warned = true
      log('Postgres is still starting; it may be recovering from a crash.')
    }
  }
  return false
}

async function whyItEnded(
  server: ServerProcess,
  logFile: string,
  cluster: string,
): Promise<EmbeddedPostgresError> {
  const output = await server.output()
  const line = /(?:FATAL|PANIC|ERROR):\s+(.*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1) ?? ''
  return new EmbeddedPostgresError(
    `The embedded Postgres could not start: "${line}" (more in ${logFile}). If its data is damaged, restore ${cluster} from a backup, or delete it to begin with an empty database.`,
  )
}

async function checkLogin(url: string, passwordFile: string, cluster: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    throw new EmbeddedPostgresError(
      code === '28P01'
        ? `The embedded Postgres does not accept the password in ${passwordFile}; put the right one back, or delete ${cluster} to begin with an empty database.`
        : `The embedded Postgres runs but does not respond (${messageOf(cause)}).`,
      { cause },
    )
  } finally {
    await client.end().catch(() => {})
  }
}

async function prepareFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await chmod(dataDir, 0o700)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new EmbeddedPostgresError(
      `The folder ${dataDir} cannot be written (${code}); make the user who starts Snipkeep its owner, or choose another DATA_DIR.`,
      { cause },
    )
  }
}

/** Spawns the server on its former port, or on another one if that is taken. */
async function spawnReady(
  options: EmbeddedPostgresOptions,
  spawnOn: (port: number) => Promise<ServerProcess>,
): Promise<{ server: ServerProcess; port: number }> {
  const layout = layoutOf(options.dataDir)
  let preferred = Number(await readFile(layout.port, 'utf8').catch(() => '0'))
  for (let starts = 1; ; starts += 1) {
    const port = await freePort(
      Number.isInteger(preferred) && preferred > 0 && preferred < 65_536 ? preferred : 0,
    )
    const server = await spawnOn(port)
    if (await untilReady(server, layout.cluster, options.log)) {
      await writeFile(layout.port, `${port}\n`)
      return { server, port }
    }
    if (starts === startsMax || !/Address already in use/.test(await server.output()))
      throw await whyItEnded(server, layout.log, layout.cluster)
    preferred = 0
  }
}

/**
 * Starts an embedded Postgres on loopback with the binaries that npm installed, and creates its data folder the first
 * time. Commits survive a crash of it, of this process and of the machine. A server that an earlier run left behind
 * in the same folder is stopped first, and this one stops whenever this process ends.
 * @throws EmbeddedPostgresError with a sentence that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = layoutOf(options.dataDir)
  await prepareFolder(options.dataDir)
  const user = await serverUser(layout.cluster)
  const copies = user === null ? layout.binaries : sharedCopies
  const binaries = await preparePostgresBinaries(await findNativeFolder(), user, copies)
  const settings = options.settings ?? {}
  const password = await ensureCluster(options.dataDir, binaries, user, settings.fsync !== 'off')
  if (await stopOrphan(layout.cluster)) options.log('A Postgres that an earlier run left behind was stopped.')
  const { server, port } = await spawnReady(options, (on) =>
    spawnServer(options.dataDir, binaries, user, on, settings),
  )
  const pid = server.child.pid ?? 0
  const callOff = stopWithUs(pid)
  const stop = async (): Promise<void> => {
    callOff()
    await stopServer(pid)
    await server.exited
  }
  const url = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
  try {
    await checkLogin(url, layout.password, layout.cluster)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid, exited: server.exited, stop }
}
