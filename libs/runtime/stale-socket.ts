import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'

/** The longest path of a Unix domain socket that every system takes. */
export const socketPathBytesMax = 100

/**
 * Whether somebody listens on a Unix domain socket. One that may not be connected to, or has too many callers, counts as
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
 * Removes the name of a Unix domain socket whose owner was killed: the system closed the socket, but its name keeps
 * everybody else from listening there. Resolves to false where somebody listens, or where something else has that name.
 */
export async function clearStaleSocket(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return true
  if (!found.isSocket() || (await isListenedOn(path))) return false
  await rm(path, { force: true })
  return true
}
