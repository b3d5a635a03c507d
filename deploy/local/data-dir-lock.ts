import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { clearStaleSocket, isListenedOn, socketPathBytesMax } from '#libs/runtime/stale-socket.js'
import { LaunchError } from './launch-error.js'

/** Held while a system runs on a data folder. */
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
 * Makes the data folder if it is missing and takes it for this process alone. The lock is a socket that somebody
 * listens on, so the end of its owner, of whatever kind, releases it.
 * @throws LaunchError when another process holds it, or when the folder cannot be written.
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
      // Some file systems hold no sockets; the temporary folder's does.
      const mayTryNext = /^(EOPNOTSUPP|ENOTSUP|EPERM|EINVAL)$/.test(codeOf(error))
      if (error instanceof LaunchError) throw error
      if (!mayTryNext || index === addresses.length - 1) throw notWritable(dataDir, error)
    }
  }
  throw new LaunchError(
    `The paths of ${dataDir} and of the temporary folder are too long; set a shorter DATA_DIR.`,
  )
}

/** Whether a process holds the data folder at this moment. */
export async function isDataDirTaken(dataDir: string): Promise<boolean> {
  const answers = await Promise.all(addressesOf(dataDir).map(isListenedOn))
  return answers.includes(true)
}

function notWritable(dataDir: string, cause: unknown): LaunchError {
  return new LaunchError(
    `The data folder ${dataDir} is not writable (${codeOf(cause)}). Make this user its owner, or set DATA_DIR to a writable folder.`,
    { cause },
  )
}
