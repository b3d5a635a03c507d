import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './exit-codes.js'
import type { Terminal } from './terminal.js'

/** The tokens of a sign-in. */
export interface SignedIn {
  readonly issuer: string
  readonly client_id: string
  readonly scopes: string
  readonly id_token: string
  readonly refresh_token: string | null
  /** In milliseconds since 1970, by the local clock. */
  readonly expires_at: number
}

/** A server and how to call it. */
export interface Profile {
  readonly server: string
  readonly sign_in?: SignedIn
  /** An API key or token that the user entered. */
  readonly key?: string
  readonly token?: string
}

export type Profiles = Readonly<Record<string, Profile>>

/** The file that `login` writes. */
export function credentialsPath(env: Terminal['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'snipkeep', 'credentials.json')
}

async function assertPrivate(path: string): Promise<void> {
  if (platform() === 'win32') return
  if (((await stat(path)).mode & 0o077) !== 0)
    throw new CliError(`Others can read ${path}, so it is not used. Run: chmod 600 '${path}'`)
}

/**
 * The content of the file; empty if there is none.
 * @throws CliError if others can read it, or if it is malformed.
 */
export async function readProfiles(env: Terminal['env']): Promise<Profiles> {
  const path = credentialsPath(env)
  try {
    await assertPrivate(path)
    const content: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Object(Reflect.get(Object(content), 'profiles')) as Profiles
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    if (error instanceof SyntaxError)
      throw new CliError(`${path} is not valid JSON. Delete it and sign in again.`)
    throw error
  }
}

/** Replaces a profile, or removes it with `null`. The file is replaced atomically. */
export async function writeProfile(
  env: Terminal['env'],
  name: string,
  profile: Profile | null,
): Promise<void> {
  const { [name]: _before, ...others } = await readProfiles(env)
  const path = credentialsPath(env)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  const profiles = profile === null ? others : { ...others, [name]: profile }
  const next = `${path}.${randomUUID()}`
  try {
    await writeFile(next, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(next, path)
  } finally {
    await rm(next, { force: true })
  }
}
