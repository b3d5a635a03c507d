import { execFile } from 'node:child_process'
import { chown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './embedded-postgres-error.js'

/** The user that the server runs as, if it is not our own. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

async function lookUp(name: string): Promise<ServerUser | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await promisify(execFile)('id', [flag, name])).stdout)),
    )
    return uid === undefined || gid === undefined || uid === 0 ? null : { uid, gid }
  } catch {
    return null
  }
}

async function ownerOf(folder: string): Promise<ServerUser | null> {
  try {
    const { uid, gid } = await lstat(folder)
    return uid === 0 ? null : { uid, gid }
  } catch {
    return null
  }
}

/**
 * Postgres refuses to run as root; root therefore runs it as the owner of the data, else as `postgres`, else as
 * `nobody`. `null` if we are not root, and it runs as our own user.
 * @param folder the data, which may not exist yet.
 */
export async function serverUser(folder: string): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null
  const user = (await ownerOf(folder)) ?? (await lookUp('postgres')) ?? (await lookUp('nobody'))
  if (user !== null) return user
  throw new EmbeddedPostgresError(
    'Postgres refuses to run as root and this system has neither a user "postgres" nor "nobody"; start as another user, or set DATABASE_URL.',
  )
}

/** Changes the owner of a folder and everything in it; links are not followed. */
export async function giveTo(user: ServerUser | null, folder: string): Promise<void> {
  if (user === null) return
  await chown(folder, user.uid, user.gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTo(user, path)
    else if (!entry.isSymbolicLink()) await chown(path, user.uid, user.gid)
  }
}
