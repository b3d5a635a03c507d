import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Express, Request, Response } from 'express'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { countProblem } from './count-problem.js'
import type { HotAnswers } from './hot/hot-answers.js'
import { keepAliveMs } from './keep-alive.js'
import { closeAfterRefusal } from './middleware/close-after-refusal.js'
import type { EarlyRefusal } from './middleware/early-refusal.js'
import { requestIdOf } from './middleware/request-id.js'
import { securityHeaders, setSecurityHeaders } from './middleware/security-headers.js'
import { preparedMessages } from './prepared-messages.js'
import { badAddress, methodNotAllowed, sendProblem, toProblem } from './problem.js'

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

/** The answer that is being made on a connection, if any: Node keeps it there. */
function answerOf(socket: Duplex): { readonly headersSent?: boolean } | null | undefined {
  return (socket as Duplex & { _httpMessage?: { readonly headersSent?: boolean } | null })._httpMessage
}

/** Refuses an address that the router cannot read, which it would answer by itself. */
function refuseAddress(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(request)
  const problem = toProblem(badAddress('The address cannot be read.'), requestId)
  countProblem(problem.code)
  response.setHeader('X-Request-Id', requestId)
  setSecurityHeaders(response)
  closeAfterRefusal(request, response)
  sendProblem(response, problem)
}

/** How long a reader may take nothing of what is there for it, in milliseconds. */
const stalledReaderMs = 18_000

/**
 * Ends a connection over which nothing has passed for long, unless a request is being worked on: that has limits of its
 * own. Bytes that were taken while the event loop was busy show one turn later.
 */
function endQuiet(socket: Socket): void {
  const left = socket.writableLength
  if (left > 0) setImmediate(() => socket.writableLength >= left && socket.destroy())
  else if (answerOf(socket) == null) socket.destroy()
}

/**
 * The HTTP server in front of the app. Headers must arrive within 10 s, a request within 15 min (a slow body is cut
 * off long before by the reader of bodies), an answer must be taken bit by bit, and idle connections live longer than
 * those of common load balancers.
 */
export function createHttpServer(
  app: Express,
  earlyRefusal: Pick<EarlyRefusal, 'answer'>,
  hotAnswers: HotAnswers,
  quietMs = stalledReaderMs,
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
  server.setTimeout(quietMs, endQuiet)
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    app(request as Request, response as Response, () => refuseAddress(request, response))
  }
  server.on('request', (request, response) => {
    if (earlyRefusal.answer(request, response)) return
    if (!hotAnswers.answer(request, response, () => serve(request, response))) serve(request, response)
  })
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  server.on('connect', (_request, socket) => {
    // Node takes its own listener away, and whoever resets the connection now would end the process.
    socket.on('error', () => socket.destroy())
    refuseConnection(socket, methodNotAllowed(['GET', 'HEAD']))
  })
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
    if (error.code === 'ECONNRESET' || answerOf(socket)?.headersSent === true) socket.destroy()
    else refuseConnection(socket, refusalOf(error))
  })
  return server
}
