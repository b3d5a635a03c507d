import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'

/** The maximum path length of a Unix domain socket on every system. */
export const socketPathBytesMax = 100

/**
 * Whether a process listens on a Unix domain socket. A socket without permission, or with a full backlog, counts as
 * listened on.
 */
export function isListenedOn(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT')
    })
  })
}

/**
 * Removes the file of a Unix domain socket whose owner was killed: the socket is closed, but its file prevents
 * listening there. Resolves to false if a process listens, or the file is something else.
 */
export async function clearStaleSocket(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return true
  if (!found.isSocket() || (await isListenedOn(path))) return false
  await rm(path, { force: true })
  return true
}
