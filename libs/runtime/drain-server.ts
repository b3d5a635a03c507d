import type { Server } from 'node:http'

/** Accepts no more connections, lets requests in flight end, and resolves when the last connection has gone. */
export async function drainServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection whose request ends only now becomes idle afterwards.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  server.closeIdleConnections()
  await closed
  clearInterval(sweep)
}
