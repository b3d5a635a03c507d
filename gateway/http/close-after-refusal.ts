import type { IncomingMessage, ServerResponse } from 'node:http'
import { lingerMs, lingerOnClose } from './node-internals/linger-on-close.js'

/** So much of a refused body is thrown away for less than another connection costs. */
const refusedBytesMax = 16 * 1024
/** The same for a body that was of no use: its sender did nothing wrong, and others may share its connection. */
const uselessBytesMax = 1_024 * 1_024

/** Whether a request says that it has a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Whether the rest of a body may pass by on a connection that stays. Not with `Expect`: whoever was refused instead of
 * told to continue may send the body or not, and what comes next could be taken for it.
 */
function isEasilyDropped(request: IncomingMessage, response: ServerResponse, bytesMax: number): boolean {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  const bytes = length === undefined && coding === undefined ? 0 : Number(length)
  const untouched = request.readableFlowing === null
  return response.shouldKeepAlive && untouched && expect === undefined && bytes <= bytesMax
}

/** Node throws the rest of a body away once its response was sent; the caller has a second to send it. */
function limitRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  // A pipelined request may have arrived completely and yet wait until the response before it has been sent.
  const timer = setTimeout(() => request.complete || socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

/** Ends the connection after the response, and throws away what is left of the body. */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  lingerOnClose(request.socket, () => {
    request.removeAllListeners('data')
    request.resume()
  })
}

/**
 * Lets a response go out at once although the request's body has not been read to its end. A small one is thrown away as
 * it comes; for another the connection ends after the response.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  if (isEasilyDropped(request, response, refusedBytesMax)) limitRest(request)
  else closeAfterResponse(request, response)
}

/** The same for a request whose body nobody will read, before it is served: a GET may have one that means nothing. */
export function ignoreBody(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) return
  if (isEasilyDropped(request, response, uselessBytesMax)) response.once('finish', () => limitRest(request))
  else closeAfterResponse(request, response)
}
