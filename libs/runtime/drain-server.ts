import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Drains a server: for `delayMs`, in which load balancers notice that it is not ready, it serves requests as usual
 * but closes each connection after the response. Then it accepts no more connections and finishes requests in flight,
 * including all bytes of their responses; resolves when the last connection is closed.
 */
export type Drain = (delayMs: number) => Promise<void>

function closeAfterResponse(_request: unknown, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/** Prepares a server for draining; it must not have any connection yet. */
export function createDrain(server: Server): Drain {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  /** Node considers a connection idle once its response is written, even if the client has not read all of it. */
  const closeIdle = (): void => {
    for (const { writableLength } of sockets) if (writableLength > 0) return
    server.closeIdleConnections()
  }
  return async (delayMs) => {
    server.prependListener('request', closeAfterResponse)
    await sleep(delayMs)
    // Not the method of the HTTP server, which closes connections that it considers idle.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    // A connection whose request ends only now becomes idle afterwards.
    const sweep = setInterval(closeIdle, 50)
    closeIdle()
    await closed
    clearInterval(sweep)
  }
}
