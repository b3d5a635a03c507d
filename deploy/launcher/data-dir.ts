import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { isAlive } from '#libs/runtime/is-alive.js'
import { clearStaleSocket, isListenedOn, socketPathBytesMax } from '#libs/runtime/stale-socket.js'
import { LaunchError } from './launch-error.js'

/** The data folder that an environment names. */
export function dataDirOf({ DATA_DIR: named }: Environment): string {
  return resolve(named || '.data')
}

/** Held while a system uses a data folder. */
export interface DataDirLock {
  release(): Promise<void>
}

function addressesOf(dataDir: string): string[] {
  const path = join(dataDir, 'launcher.sock')
  const fromHere = relative(process.cwd(), path)
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 24)
  return [fromHere.length < path.length ? fromHere : path, join(tmpdir(), `snipkeep-${digest}.sock`)].filter(
    (address) => Buffer.byteLength(address) <= socketPathBytesMax,
  )
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(address, () => {
      server.unref()
      resolve(server)
    })
  })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

async function takeAt(address: string, dataDir: string): Promise<DataDirLock> {
  try {
    return lockOf(await listen(address))
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
  }
  if (!(await clearStaleSocket(address))) {
    throw new LaunchError(
      `Snipkeep is already running on ${dataDir}. Stop it first, or set another DATA_DIR and PORT for a second one.`,
    )
  }
  return lockOf(await listen(address))
}

function lockOf(server: Server): DataDirLock {
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

/**
 * Creates the data folder if necessary, and locks it for this process. The lock is a listening socket, so it is
 * released however its owner ends.
 * @throws LaunchError if another process holds the lock, or the folder is not writable.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw notWritable(dataDir, cause)
  }
  const addresses = addressesOf(dataDir)
  for (const [index, address] of addresses.entries()) {
    try {
      return await takeAt(address, dataDir)
    } catch (error) {
      // Some file systems do not support sockets; that of the temporary folder does.
      const mayTryNext = /^(EOPNOTSUPP|ENOTSUP|EPERM|EINVAL)$/.test(codeOf(error))
      if (error instanceof LaunchError) throw error
      if (!mayTryNext || index === addresses.length - 1) throw notWritable(dataDir, error)
    }
  }
  throw new LaunchError(
    `The paths of ${dataDir} and of the temporary folder are too long; set a shorter DATA_DIR.`,
  )
}

/** Whether a process currently holds the lock. */
export async function isDataDirTaken(dataDir: string): Promise<boolean> {
  const responses = await Promise.all(addressesOf(dataDir).map(isListenedOn))
  return responses.includes(true)
}

function notWritable(dataDir: string, cause: unknown): LaunchError {
  return new LaunchError(
    `The data folder ${dataDir} is not writable (${codeOf(cause)}). Make this user its owner, or set DATA_DIR to a writable folder.`,
    { cause },
  )
}

/** What the launcher records about a running system, for `npm run doctor` on the same machine. */
export interface RunningNote {
  /** Of the launcher. */
  readonly pid: number
  /** The variables that each process has in addition to the launcher's environment, by process name. */
  readonly added: Readonly<Record<string, Environment>>
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'running.json')
}

function isEnvironment(value: unknown): value is Environment {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => text === undefined || typeof text === 'string')
  )
}

function isNote(value: unknown): value is RunningNote {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('added' in value)) return false
  const { pid, added } = value
  return (
    typeof pid === 'number' &&
    typeof added === 'object' &&
    added !== null &&
    Object.values(added).every(isEnvironment)
  )
}

/** Writes the note. It contains secrets, so only its owner may read it. */
export async function noteRunning(dataDir: string, note: RunningNote): Promise<void> {
  await rm(noteIn(dataDir), { force: true })
  await writeFile(noteIn(dataDir), JSON.stringify(note), { mode: 0o600, flag: 'wx' })
}

async function readNote(dataDir: string): Promise<RunningNote | null> {
  try {
    const note: unknown = JSON.parse(await readFile(noteIn(dataDir), 'utf8'))
    return isNote(note) ? note : null
  } catch {
    return null
  }
}

/** Deletes the note of this process, never that of another one. */
export async function forgetRunning(dataDir: string): Promise<void> {
  if ((await readNote(dataDir))?.pid === process.pid) await rm(noteIn(dataDir), { force: true })
}

/**
 * The note of the system that uses this data folder; `null` if there is none. The lock is checked, too: after a
 * launcher was killed, another process may have its pid.
 */
export async function readRunning(dataDir: string): Promise<RunningNote | null> {
  const note = await readNote(dataDir)
  return note !== null && isAlive(note.pid) && (await isDataDirTaken(dataDir)) ? note : null
}

async function read(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** What a start has done, which later ones need not do again. */
type Done = 'development-users' | 'migrated'

function digestOf(facts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

/** Whether an earlier start has done this, for the same facts. */
export async function hasNoted(
  dataDir: string,
  done: Done,
  facts: readonly (string | null)[],
): Promise<boolean> {
  return (await read(join(dataDir, done))) === digestOf(facts)
}

/** Notes for the next start that this is done, for these facts alone. */
export async function noteFacts(
  dataDir: string,
  done: Done,
  facts: readonly (string | null)[],
): Promise<void> {
  await writeFile(join(dataDir, done), digestOf(facts), { mode: 0o600 })
}

/**
 * The secret of this name in the data folder, generated by `create` on first use. Concurrent callers all get the same
 * one, because the complete file appears atomically.
 */
export async function developmentSecret(
  dataDir: string,
  name: string,
  create: () => Promise<string> = async () => randomBytes(32).toString('base64url'),
): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const path = join(folder, name)
  const found = await read(path)
  if (found !== null) return found
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${await create()}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
  const made = await read(path)
  if (made === null) throw new Error(`${path} vanished while it was being made`)
  return made
}
