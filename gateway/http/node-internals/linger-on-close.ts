import type { Socket } from 'node:net'

/** How long a caller that is still sending has to read the response, in milliseconds. */
export const lingerMs = 1_000

/**
 * Makes Node wait up to a second for the caller when it closes this connection, and discard what still arrives:
 * closing with unread bytes makes the system reset the connection, and the caller could lose the response.
 */
export function lingerOnClose(socket: Socket, discardRest = (): void => {}): void {
  // Node's HTTP server calls `destroySoon` after the last response of a connection.
  socket.destroySoon = () => {
    socket.destroySoon = () => {}
    socket.end()
    discardRest()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
  }
}
