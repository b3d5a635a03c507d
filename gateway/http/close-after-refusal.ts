import type { IncomingMessage, ServerResponse } from 'node:http'
import { lingerMs, lingerOnClose } from './node-internals/linger-on-close.js'

/** Discarding this much of a rejected body is cheaper than another connection. */
const refusedBytesMax = 16 * 1024
/** The same for an unused body: its sender did nothing wrong, and others may share its connection. */
const uselessBytesMax = 1_024 * 1_024

/** Whether a request announces a body. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Whether the rest of a body may be discarded while the connection stays open. Not with `Expect`: a client that was
 * rejected instead of told to continue may or may not send the body, and what comes next could be taken for it.
 */
function isEasilyDropped(request: IncomingMessage, response: ServerResponse, bytesMax: number): boolean {
  const { expect, 'content-length': length, 'transfer-encoding': coding } = request.headers
  const bytes = length === undefined && coding === undefined ? 0 : Number(length)
  const untouched = request.readableFlowing === null
  return response.shouldKeepAlive && untouched && expect === undefined && bytes <= bytesMax
}

/** Node discards the rest of a body once its response was sent; the caller has a second to send it. */
function limitRest(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  // A pipelined request may be complete and still wait for the response before it.
  const timer = setTimeout(() => request.complete || socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

/** Ends the connection after the response and discards the rest of the body. */
function closeAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  lingerOnClose(request.socket, () => {
    request.removeAllListeners('data')
    request.resume()
  })
}

/**
 * Sends a response although the request's body has not been read to its end. A small rest is discarded; otherwise the
 * connection ends after the response.
 */
export function closeAfterRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || response.headersSent) return
  if (isEasilyDropped(request, response, refusedBytesMax)) limitRest(request)
  else closeAfterResponse(request, response)
}

/** The same for a body that no one will read, before the request is served: a GET may have a meaningless one. */
export function ignoreBody(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) return
  if (isEasilyDropped(request, response, uselessBytesMax)) response.once('finish', () => limitRest(request))
  else closeAfterResponse(request, response)
}
