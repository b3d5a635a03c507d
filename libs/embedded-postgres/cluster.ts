import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.js'
import type { PostgresBinaries } from './postgres-binaries.js'
import { programEnvironment } from './program-environment.js'
import { giveTo, type ServerUser } from './server-user.js'

/** The one login of an embedded server. */
export const superuser = 'snipkeep'

/** The layout of an embedded server's folder. */
export function layoutOf(dataDir: string) {
  return {
    cluster: join(dataDir, 'cluster'),
    password: join(dataDir, 'password'),
    port: join(dataDir, 'port'),
    log: join(dataDir, 'postgres.log'),
    binaries: join(dataDir, 'binaries'),
  }
}

/**
 * The cluster as the server itself names it. On Linux that is its working directory, which it may use even if it may
 * not enter the folders above, such as /root.
 */
export function clusterSeenFromWithin(cluster: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/** The problem of an unusable cluster; `null` for a usable one, `missing` if there is none. */
async function checkCluster(cluster: string, binaries: PostgresBinaries): Promise<string | 'missing' | null> {
  const begin = `restore ${cluster} from a backup, or delete it to begin with an empty database.`
  try {
    if (!(await exists(cluster))) return 'missing'
    if ((await readdir(cluster)).length === 0) {
      await rmdir(cluster)
      return 'missing'
    }
    const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
    if (!/^\d+(\.\d+)?$/.test(version))
      return `The data folder ${cluster} is damaged: its PG_VERSION is missing or unreadable; ${begin}`
    if (version !== binaries.majorVersion) {
      return `The data folder ${cluster} belongs to Postgres ${version} but this release brings Postgres ${binaries.majorVersion}; dump it with the old release and restore it with this one, or delete it to begin with an empty database.`
    }
    if (!(await exists(join(cluster, 'global', 'pg_control'))))
      return `The data folder ${cluster} is damaged: global/pg_control is missing; ${begin}`
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `The data folder ${cluster} cannot be read (${code}); make the user who starts Snipkeep its owner, or choose another DATA_DIR.`
  }
}

async function readPassword(path: string): Promise<string | null> {
  const text = (await readFile(path, 'utf8').catch(() => '')).trim()
  return text === '' ? null : text
}

/** The message for a failure of `initdb` in `folder`. */
export function whyInitdbFailed(said: string, folder: string): string {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(said) ?? []
  if (uid !== undefined)
    return `Postgres cannot run as a user without a name, and uid ${uid} has no entry in /etc/passwd; add one, start as another user, or set DATABASE_URL.`
  const line = said.split('\n').find((one) => /error|fatal|could not/i.test(one))
  const reason = line === undefined ? '' : ` (${line.trim()})`
  return `The data folder of the embedded Postgres could not be made${reason}; check the free space and the rights of ${folder}.`
}

async function runInitdb(
  binaries: PostgresBinaries,
  user: ServerUser | null,
  staging: string,
  passwordFile: string,
  sync: boolean,
): Promise<void> {
  // The server's user may have no access to the password file by path, so it gets the open file.
  const file = await open(passwordFile, 'r')
  try {
    const within = clusterSeenFromWithin(staging)
    const child = spawn(
      binaries.initdb,
      [
        `--pgdata=${within}`,
        `--pwfile=${process.platform === 'linux' ? '/proc/self/fd/3' : passwordFile}`,
        `--username=${superuser}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        ...(sync ? [] : ['--no-sync']),
      ],
      {
        cwd: staging,
        env: programEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe', file.fd],
        ...user,
      },
    )
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
    }
    const [code] = await once(child, 'close')
    if (code === 0) return
    throw new EmbeddedPostgresError(whyInitdbFailed(output.join(''), staging))
  } finally {
    await file.close()
  }
}

/**
 * Creates the cluster beside its final path and moves it there when it is complete, so that a killed start leaves
 * nothing half-made.
 */
async function makeCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  user: ServerUser | null,
  sync: boolean,
): Promise<void> {
  const layout = layoutOf(dataDir)
  await writeFile(layout.password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  const staging = await mkdtemp(join(dataDir, 'unfinished-'))
  try {
    const handed = join(staging, 'password')
    const cluster = join(staging, 'cluster')
    await mkdir(cluster, { mode: 0o700 })
    await writeFile(handed, await readFile(layout.password), { mode: 0o600 })
    await giveTo(user, staging)
    await runInitdb(binaries, user, cluster, handed, sync)
    await rename(cluster, layout.cluster)
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Remains of a killed start contain no one's data. */
async function sweepUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('unfinished-'))
      await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Makes sure that `dataDir` holds a complete cluster that belongs to `user`, and returns its password.
 * @param sync whether a new cluster must be flushed to disk.
 * @throws EmbeddedPostgresError that says what is wrong with the existing cluster, and what to do.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  user: ServerUser | null,
  sync: boolean,
): Promise<string> {
  const layout = layoutOf(dataDir)
  await sweepUnfinished(dataDir)
  const verdict = await checkCluster(layout.cluster, binaries)
  if (verdict === 'missing') await makeCluster(dataDir, binaries, user, sync)
  else if (verdict !== null) throw new EmbeddedPostgresError(verdict)
  else if (user !== null && (await stat(layout.cluster)).uid === 0) await giveTo(user, layout.cluster)
  const password = await readPassword(layout.password)
  if (password !== null) return password
  throw new EmbeddedPostgresError(
    `The password of the embedded Postgres is missing; put ${layout.password} back, or delete ${layout.cluster} to begin with an empty database.`,
  )
}
