import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Express, Request, Response } from 'express'
import { requestIdOf } from '#libs/runtime/request-id.js'
import { createClientErrorHandler, refuseConnection } from '../http/client-error.js'
import { type ConnectionLimits, closeAfterRefusal, limitConnections } from '../http/connections.js'
import { currentResponse } from '../http/node-internals/current-response.js'
import { preparedMessages } from '../http/node-internals/prepared-messages.js'
import { countProblem } from '../http/request-log.js'
import { setSecurityHeaders } from '../http/responses.js'
import { badAddress, methodNotAllowed, sendProblem, toProblem } from '../request/problem.js'
import { type FastPath, noFastPath } from './fast-path.js'

/** Rejects a URL that the router cannot parse; otherwise the router would send a response of its own. */
function refuseAddress(request: IncomingMessage, response: ServerResponse): void {
  const requestId = requestIdOf(request)
  const problem = toProblem(badAddress('The URL could not be parsed.'), requestId)
  countProblem(problem.code)
  response.setHeader('X-Request-Id', requestId)
  setSecurityHeaders(response)
  closeAfterRefusal(request, response)
  sendProblem(response, problem)
}

export interface HttpServerOptions {
  /** How long a connection may be without traffic while a response is being sent, in milliseconds. */
  readonly quietMs?: number
  readonly connections?: ConnectionLimits
}

/**
 * How long an idle connection is kept: longer than common load balancers do, which might otherwise send a request on a
 * connection that is just being closed.
 */
const keepAliveMs = 75_000
const stalledReaderMs = 18_000
const usualConnections: ConnectionLimits = { max: 2_000, perClientMax: 0, clientOf: () => null }

/**
 * Closes a connection that had no traffic for too long, unless a request is being served, which has its own timeouts.
 * Bytes read while the event loop was busy are reported one turn later.
 */
function endQuiet(socket: Socket): void {
  const left = socket.writableLength
  if (left > 0) setImmediate(() => socket.writableLength >= left && socket.destroy())
  else if (currentResponse(socket) === null) socket.destroy()
}

/**
 * The HTTP server in front of the app. Headers must arrive within 10 s and the whole request within 15 min (slow bodies
 * are cut off long before); responses must be read steadily.
 */
export function createHttpServer(
  app: Express,
  fastPath: FastPath = noFastPath,
  { quietMs = stalledReaderMs, connections = usualConnections }: HttpServerOptions = {},
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
  server.maxHeadersCount = 0
  server.setTimeout(quietMs, endQuiet)
  const { used } = limitConnections(server, connections)
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    app(request as Request, response as Response, () => refuseAddress(request, response))
  }
  /** False for a request after the response that announced the end of the connection (RFC 9112 §9.6). */
  const begin = ({ socket }: IncomingMessage): boolean => {
    used(socket)
    return !socket.writableEnded
  }
  server.on('request', (request, response) => {
    if (!begin(request)) return
    if (!fastPath.serve(request, response, () => serve(request, response))) serve(request, response)
  })
  const serveExpecting = (request: IncomingMessage, response: ServerResponse): void => {
    if (begin(request)) serve(request, response)
  }
  server.on('checkContinue', serveExpecting)
  server.on('checkExpectation', serveExpecting)
  server.on('connect', (_request, socket) => {
    // Node has removed its own listener: without this one, a reset by the client would crash the process.
    socket.on('error', () => socket.destroy())
    refuseConnection(socket, methodNotAllowed(['GET', 'HEAD']))
  })
  server.on('clientError', createClientErrorHandler())
  return server
}
