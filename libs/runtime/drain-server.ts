import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Ends the work of a server: for `delayMs`, in which load balancers learn that it is not ready, requests are served as
 * ever, but the connection of each is closed after its response. Then no more connections are accepted, and requests in
 * flight end, with every byte of their responses taken; resolves when the last connection has gone.
 */
export type Drain = (delayMs: number) => Promise<void>

function closeAfterResponse(_request: unknown, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/** How a server is drained later; it must not have any connection yet. */
export function createDrain(server: Server): Drain {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  /** To Node a connection is idle once its response was handed over, though its reader has not taken all of it. */
  const closeIdle = (): void => {
    for (const { writableLength } of sockets) if (writableLength > 0) return
    server.closeIdleConnections()
  }
  return async (delayMs) => {
    server.prependListener('request', closeAfterResponse)
    await sleep(delayMs)
    // Not that of an HTTP server, which closes what it takes for idle.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    // A connection whose request ends only now becomes idle afterwards.
    const sweep = setInterval(closeIdle, 50)
    closeIdle()
    await closed
    clearInterval(sweep)
  }
}
