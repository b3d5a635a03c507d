import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'

/** The longest path of a Unix domain socket that every system takes. */
export const socketPathBytesMax = 100

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * Removes the name of a Unix domain socket whose owner was killed: the system closed the socket, but its name keeps
 * everybody else from listening there. Resolves to false where somebody listens, or where something else has that name.
 */
export async function clearStaleSocket(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return true
  if (!found.isSocket() || (await isAnswered(path))) return false
  await rm(path, { force: true })
  return true
}
