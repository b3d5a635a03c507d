import type { Server, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

function closeAfterAnswer(_request: unknown, response: ServerResponse): void {
  response.shouldKeepAlive = false
}

/**
 * Ends the work of a server: for `delayMs`, in which load balancers learn that it is not ready, requests are answered as
 * ever, but the connection of each is closed after its answer. Then no more connections are accepted, and requests in
 * flight end; resolves when the last connection has gone.
 */
export async function drainServer(server: Server, delayMs: number): Promise<void> {
  server.prependListener('request', closeAfterAnswer)
  await sleep(delayMs)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection whose request ends only now becomes idle afterwards.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  server.closeIdleConnections()
  await closed
  clearInterval(sweep)
}
