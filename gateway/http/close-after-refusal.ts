import type { IncomingMessage, ServerResponse } from 'node:http'
import { lingerMs, lingerOnClose } from './node-internals/linger-on-close.js'

/** Discarding this much of a rejected body is cheaper than a new connection. */
const refusedBytesMax = 16 * 1024
/** More for an ignored body: the client did nothing wrong, and a proxy may share its connection with others. */
const ignoredBytesMax = 1_024 * 1_024

/** By its headers alone. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Whether the rest of a body may be discarded while the connection stays open. Not with `Expect`: after a rejection the
 * client may or may not send the body, so its next request could be taken for that body.
 */
function isEasilyDropped(request: IncomingMessage, response: ServerResponse, bytesMax: number): boolean {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  const bytes = length === undefined && coding === undefined ? 0 : Number(length)
  const untouched = request.readableFlowing === null
  return response.shouldKeepAlive && untouched && expect === undefined && bytes <= bytesMax
}

/** Node discards the rest of a body after the response; the caller has one second to send it. */
function limitRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  // A complete pipelined request may still be waiting for an earlier response.
  const timer = setTimeout(() => request.complete || socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

/** Closes the connection after the response and discards the rest of the body. */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  lingerOnClose(request.socket, () => {
    request.removeAllListeners('data')
    request.resume()
  })
}

/**
 * Call before responding to a request whose body was not fully read. A small rest is discarded; otherwise the
 * connection closes after the response.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  if (isEasilyDropped(request, response, refusedBytesMax)) limitRest(request)
  else closeAfterResponse(request, response)
}

/** The same for a body that will be ignored, such as that of a GET; call before the request is served. */
export function ignoreBody(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) return
  if (isEasilyDropped(request, response, ignoredBytesMax)) response.once('finish', () => limitRest(request))
  else closeAfterResponse(request, response)
}
