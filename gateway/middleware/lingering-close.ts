import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long a caller that is still sending may take to notice the refusal. */
const lingerMs = 1_000

/**
 * Ends the connection after this answer when the request's body has not been read to its end. The answer goes out at
 * once; what the caller still sends is thrown away for at most a second, since closing on unread bytes makes the
 * system reset the connection, and the caller could lose the refusal that it should read.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  response.setHeader('Connection', 'close')
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    request.removeAllListeners('data')
    request.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
  }
}
