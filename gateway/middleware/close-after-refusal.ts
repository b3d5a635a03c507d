import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long a caller that is still sending may take to notice the refusal. */
const lingerMs = 1_000
/** So much is thrown away for less than another connection costs. */
const droppedBytesMax = 16 * 1024

/**
 * Whether the rest of a body may pass by on a connection that stays. Not with `Expect`: whoever was refused instead of
 * told to continue may send the body or not, and what comes next could be taken for it.
 */
function isEasilyDropped(request: IncomingMessage, response: ServerResponse): boolean {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  const bytes = length === undefined && coding === undefined ? 0 : Number(length)
  const untouched = request.readableFlowing === null
  return response.shouldKeepAlive && untouched && expect === undefined && bytes <= droppedBytesMax
}

/**
 * Lets an answer go out at once although the request's body has not been read to its end. A small one is thrown away as
 * it comes. For another the connection ends after the answer; what the caller still sends is thrown away, since closing
 * on unread bytes makes the system reset the connection, and the caller could lose the refusal that it should read.
 * Either way it has a second.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  const { socket } = request
  if (isEasilyDropped(request, response)) {
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    request.once('close', () => clearTimeout(timer))
    return
  }
  response.setHeader('Connection', 'close')
  socket.destroySoon = () => {
    socket.end()
    request.removeAllListeners('data')
    request.resume()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('end', () => socket.destroy())
    socket.once('close', () => clearTimeout(timer))
  }
}
