import type { Socket } from 'node:net'

/** How long a closing connection waits for a caller that is still sending, in milliseconds. */
export const lingerMs = 1_000

/**
 * Makes Node wait up to a second for the caller when it closes this connection, and discard what still arrives. If it
 * closed with unread bytes, the system would reset the connection and the caller could lose the response.
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
