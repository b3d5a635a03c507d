import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { toProblem } from '../request/problem.js'
import { currentResponse, respondsToLastRequest } from './node-internals/current-response.js'
import { lingerOnClose } from './node-internals/linger-on-close.js'
import { securityHeaders } from './responses.js'

/** Node's error codes for malformed or incomplete requests. */
export type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

function refusalOf(error: ClientError): DomainError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      const firstLine = error.rawPacket?.subarray(0, 16_384).indexOf('\r\n') ?? 0
      return firstLine === -1
        ? new DomainError('invalid', 'uri_too_long', 'The URL is too long.')
        : new DomainError('invalid', 'headers_too_large', 'The request headers exceed 16 KiB.')
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('timeout', 'request_timeout', 'The request took too long to arrive. Try again.')
    default:
      return validationFailed([{ pointer: '', code: 'invalid_http', detail: 'Invalid HTTP/1.1 request.' }])
  }
}

/** Sends a problem on a connection that has no response object, and closes it. */
export function refuseConnection(socket: Duplex, error: DomainError): void {
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const problem = toProblem(error, requestId)
  metrics.httpRefusedConnections.series(problem.code).inc()
  const headers = {
    ...securityHeaders,
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Length': Buffer.byteLength(problem.body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n`
  socket.end(head + problem.body, () => socket.destroy())
}

/** Closes a connection after the responses to all complete requests on it. */
function endAfterResponses(socket: Socket): void {
  const response = currentResponse(socket)
  if (response?.req.complete !== true) {
    socket.destroySoon()
    return
  }
  if (respondsToLastRequest(socket, response)) response.shouldKeepAlive = false
  response.once('finish', () => endAfterResponses(socket))
}

/**
 * Rejects malformed input, but never ahead of pending responses: the caller would take the rejection for one of them.
 * The requests before it are served first; then the connection closes without another response.
 */
function refuseInTurn(socket: Duplex, refusal: DomainError): void {
  const response = currentResponse(socket)
  if (response?.req.complete === true && socket instanceof Socket) {
    lingerOnClose(socket)
    endAfterResponses(socket)
  } else if (response?.headersSent === true) socket.destroy()
  else refuseConnection(socket, refusal)
}

/** Handles `clientError` of a server. */
export function createClientErrorHandler(): (error: ClientError, socket: Duplex) => void {
  // Node reports another error for every further chunk on such a connection.
  const refused = new WeakSet<Duplex>()
  return (error, socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    if (refused.has(socket)) return
    refused.add(socket)
    refuseInTurn(socket, refusalOf(error))
  }
}
