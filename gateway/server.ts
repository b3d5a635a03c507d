import { randomUUID } from 'node:crypto'
import { createServer, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { HotAnswers } from './hot/hot-answers.js'
import { keepAliveMs } from './keep-alive.js'
import type { EarlyRefusal } from './middleware/early-refusal.js'
import { securityHeaders } from './middleware/security-headers.js'
import { preparedMessages } from './prepared-messages.js'
import { methodNotAllowed, toProblem } from './problem.js'

function refusalOf(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): DomainError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': {
      const firstLine = error.rawPacket?.subarray(0, 16_384).indexOf('\r\n') ?? 0
      return firstLine === -1
        ? new DomainError('invalid', 'uri_too_long', 'The address is too long.')
        : new DomainError('invalid', 'headers_too_large', 'The headers take more than 16 KiB.')
    }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('timeout', 'request_timeout', 'The request took too long to arrive.')
    default:
      return validationFailed([
        { pointer: '', code: 'invalid_http', detail: 'The request is not valid HTTP/1.1.' },
      ])
  }
}

/** Answers on a connection that has no response object, in the same shape as everywhere, and closes it. */
function refuseConnection(socket: Duplex, error: DomainError): void {
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const problem = toProblem(error, requestId)
  metrics.httpRefusedConnections.series(problem.code).value += 1
  const headers = {
    ...securityHeaders,
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Length': problem.body.length,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n`
  socket.end(Buffer.concat([Buffer.from(head), problem.body]), () => socket.destroy())
}

function answerBegun(socket: Duplex & { _httpMessage?: { headersSent?: boolean } }): boolean {
  return socket._httpMessage?.headersSent === true
}

/**
 * The HTTP server in front of the app. Headers must arrive within 10 s, a request within 15 min (a slow body is cut
 * off long before by the reader of bodies), and idle connections live longer than those of common load balancers.
 */
export function createHttpServer(
  app: Express,
  earlyRefusal: Pick<EarlyRefusal, 'answer'>,
  hotAnswers: HotAnswers,
): Server {
  const server = createServer({
    ...preparedMessages(app),
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 900_000,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 5_000,
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
  })
  server.maxConnections = 2_000
  server.maxHeadersCount = 0
  server.on('request', (request, response) => {
    if (earlyRefusal.answer(request, response)) return
    if (!hotAnswers.answer(request, response, () => app(request, response))) app(request, response)
  })
  server.on('checkContinue', app)
  server.on('checkExpectation', app)
  server.on('connect', (_request, socket) => {
    // Node takes its own listener away, and whoever resets the connection now would end the process.
    socket.on('error', () => socket.destroy())
    refuseConnection(socket, methodNotAllowed(['GET', 'HEAD']))
  })
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (error.code === 'ECONNRESET' || answerBegun(socket)) socket.destroy()
    else refuseConnection(socket, refusalOf(error))
  })
  return server
}
