import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { layoutOf, superuser } from '#libs/embedded-postgres/cluster.js'
import { readPostmasterPid } from '#libs/embedded-postgres/postmaster-pid.js'
import { spawnServer, stopServer, stopWithUs } from '#libs/embedded-postgres/server-process.js'
import { giveTo, serverUser } from '#libs/embedded-postgres/server-user.js'
import { freePort } from '#libs/runtime/free-port.js'

/** Where Debian puts its servers, a folder for each version. */
const debianFolder = '/usr/lib/postgresql'

const settings = { default_toast_compression: 'lz4', max_connections: '300' }

/** A Postgres that compresses by lz4. */
export interface Lz4Server {
  readonly url: string
  stop(): Promise<void>
}

async function newestOfDebian(): Promise<string | null> {
  const names = await readdir(debianFolder).catch((): string[] => [])
  const versions = names.map(Number).filter(Number.isInteger)
  for (const version of versions.sort((a, b) => b - a)) {
    const programs = await readdir(join(debianFolder, String(version), 'bin')).catch((): string[] => [])
    if (programs.includes('postgres') && programs.includes('initdb')) return String(version)
  }
  return null
}

async function startOfDebian(version: string, dataDir: string): Promise<Lz4Server> {
  const layout = layoutOf(dataDir)
  const user = await serverUser(layout.cluster)
  const password = randomBytes(24).toString('base64url')
  await writeFile(layout.password, `${password}\n`, { mode: 0o600 })
  await giveTo(user, dataDir)
  const bin = join(debianFolder, version, 'bin')
  const login = [`--username=${superuser}`, '--auth=scram-sha-256', `--pwfile=${layout.password}`]
  const args = [`--pgdata=${layout.cluster}`, ...login, '--encoding=UTF8', '--locale=C', '--no-instructions']
  await promisify(execFile)(join(bin, 'initdb'), args, { cwd: dataDir, ...user })
  const binaries = {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    majorVersion: version,
  }
  const port = await freePort()
  const server = await spawnServer(dataDir, binaries, user, port, settings)
  const pid = server.child.pid ?? 0
  const callOff = stopWithUs(pid)
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  while ((await readPostmasterPid(layout.cluster))?.ready !== true) {
    if (ended) throw new Error(`Postgres ${version} could not start: ${await server.output()}`)
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

/** Whether a server is built with lz4. */
async function knowsLz4(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `SELECT FROM pg_settings WHERE pg_settings.name = 'default_toast_compression' AND 'lz4' = ANY (pg_settings.enumvals)`,
    )
    return rowCount === 1
  } finally {
    await client.end()
  }
}

/** Does `work` with Debian's newest Postgres, else with that of TEST_DATABASE_URL; `null` where neither has lz4. */
export async function withLz4Server<Result>(
  work: (server: Pick<Lz4Server, 'url'> | null) => Promise<Result>,
): Promise<Result> {
  const version = await newestOfDebian()
  if (version === null) {
    const url = process.env.TEST_DATABASE_URL ?? ''
    return work(url !== '' && (await knowsLz4(url)) ? { url } : null)
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-lz4-'))
  try {
    const server = await startOfDebian(version, dataDir)
    try {
      return await work((await knowsLz4(server.url)) ? server : null)
    } finally {
      await server.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
