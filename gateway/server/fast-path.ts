import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptedId } from '#libs/runtime/request-id.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import { inProcessClient } from '../http/connections.js'
import {
  createSendWhole,
  headerLine,
  headerLines,
  type SendWhole,
} from '../http/node-internals/whole-response.js'
import type { FastResponse, FastRoute, Operation } from '../http/operation.js'
import { countProblem, type RequestLog } from '../http/request-log.js'
import { ownHeaders, privateReadHeaders, publicReadHeaders, securityHeaders } from '../http/responses.js'
import type { ShareHost } from '../http/share-host.js'
import { type AdmitDependencies, admit } from '../pipeline/admit.js'
import type { ClientAddress } from '../rate-limits/client-address.js'
import { RateLimited } from '../rate-limits/rate-limits.js'
import { toProblem } from '../request/problem.js'
import { createRequestContext, type RequestContext } from '../request/request-context.js'
import { isHost } from '../request/request-head.js'

export interface FastPathDependencies {
  readonly operations: readonly Operation[]
  readonly sharePage: FastRoute | null
  readonly admit: AdmitDependencies
  readonly clientAddress: ClientAddress
  /** `null` if share pages have no host of their own. */
  readonly shareHost: ShareHost | null
  readonly requestLog: RequestLog
}

/** What the fast path needs from the head of a GET. */
export interface SimpleGet {
  readonly host: string
  readonly requestId: string | undefined
  readonly forwardedFor: string | undefined
}

const headersMax = 64
/** Headers that are read here, and those that the app must handle. */
const inspected =
  /^(host|x-request-id|x-forwarded-for|if-(?:none-)?match|if-(?:un)?modified-since|content-length|transfer-encoding|origin|expect)$/i

/**
 * `null` for anything but an ordinary GET. Reads the raw list, because parsing it into `headers` takes longer than a
 * whole response from the cache.
 */
export function parseSimpleGet({ method, httpVersion, rawHeaders }: IncomingMessage): SimpleGet | null {
  if (method !== 'GET' || httpVersion !== '1.1' || rawHeaders.length > 2 * headersMax) return null
  let host: string | undefined
  let requestId: string | undefined
  let forwardedFor: string | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!inspected.test(name)) continue
    const value = rawHeaders[index + 1] ?? ''
    switch (name.toLowerCase()) {
      case 'host':
        if (host !== undefined || !isHost(value)) return null
        host = value
        break
      case 'x-request-id':
        if (requestId !== undefined) return null
        requestId = value
        break
      case 'x-forwarded-for':
        if (forwardedFor !== undefined) return null
        forwardedFor = value
        break
      default:
        return null
    }
  }
  return host === undefined ? null : { host, requestId, forwardedFor }
}

export const noFastPath: FastPath = { serve: () => false }

/** @param fixed the header lines that all responses of the route share. */
function send(sendWhole: SendWhole, fixed: string, context: RequestContext, found: FastResponse): void {
  const { etag, lastModified, body, cacheControl = securityHeaders['Cache-Control'] ?? '' } = found
  const lines =
    fixed +
    ownHeaders(context) +
    headerLine('ETag', etag) +
    (lastModified === undefined ? '' : headerLine('Last-Modified', lastModified)) +
    headerLine('Content-Length', body.length) +
    headerLine('Cache-Control', cacheControl)
  sendWhole(context.response, 200, lines, body, 'latin1')
}

/** Here and not in the app, because a flood of these must be cheap. */
function sendRateLimited(
  sendWhole: SendWhole,
  fixed: string,
  context: RequestContext,
  error: RateLimited,
): void {
  const { status, code, headers, body } = toProblem(error, context.requestId)
  context.code = code
  countProblem(code)
  const own = ownHeaders(context) + headerLines(Object.entries(headers))
  const lines = fixed + own + headerLine('Content-Length', Buffer.byteLength(body))
  sendWhole(context.response, status, lines, body, 'utf8')
}

/** The fast route of an operation; `null` if it has none. */
function routeOf(operation: Operation, parts: AdmitDependencies, sendWhole: SendWhole): FastRoute | null {
  const { path, fast, anyOrigin } = operation
  if (fast === undefined) return null
  const [, prefix] = /^([^{}]*\/)\{\w+\}$/.exec(path) ?? []
  if (operation.method !== 'get' || prefix === undefined)
    throw new Error(`${operation.operationId} has no path for a fast read`)
  const { 'Cache-Control': _cacheControl, ...fixed }: Readonly<Record<string, string>> = {
    ...securityHeaders,
    ...(anyOrigin === true ? publicReadHeaders : privateReadHeaders),
  }
  const ofAll = headerLines(Object.entries(fixed))
  const ofJson = ofAll + headerLine('Content-Type', 'application/json; charset=utf-8')
  return {
    prefix,
    route: path,
    read(parameter) {
      const read = fast(parameter)
      if (read === null) return null
      return async (context) => {
        try {
          const found = await read(context, await admit(parts, operation, context))
          if (found === null) return false
          send(sendWhole, ofJson, context, found)
        } catch (error) {
          if (!(error instanceof RateLimited)) throw error
          sendRateLimited(sendWhole, ofAll, context, error)
        }
        return true
      }
    },
  }
}

/**
 * Serves the most frequent requests, plain reads of small snippets and shares, without Express, which would take most
 * of their time (docs/decisions/0062-one-pipeline.md). The stages are those of `pipeline/admit.ts`, and the routes come
 * from the operations. Anything else, including every error except a 429, goes to the app, which does not repeat
 * completed stages.
 */
export function createFastPath(parts: FastPathDependencies) {
  const { operations, sharePage, clientAddress, shareHost, requestLog } = parts
  const sendWhole = createSendWhole()
  const found = operations.map((operation) => routeOf(operation, parts.admit, sendWhole))
  const routes = new Map(
    [...found, sharePage].flatMap((route) => (route === null ? [] : [[route.prefix, route]])),
  )

  const respond = async (
    read: NonNullable<ReturnType<FastRoute['read']>>,
    context: RequestContext,
    app: () => void,
  ): Promise<void> => {
    try {
      if (!(await read(context))) return app()
    } catch (error) {
      context.failure = error
      return app()
    }
    requestLog.record(context)
  }

  /** False for a request that this host rejects or redirects. */
  const isServedHere = (request: IncomingMessage, host: string): boolean => {
    if (shareHost === null) return true
    return shareHost.isNamed(host)
      ? shareHost.serves(request)
      : shareHost.redirectTo(request.url ?? '') === null
  }

  return {
    /** Returns false for a request it does not handle. Once it has returned true, it may still hand over to `app`. */
    serve(request: IncomingMessage, response: ServerResponse, app: () => void) {
      const { url = '' } = request
      const split = url.lastIndexOf('/') + 1
      const route = routes.get(url.slice(0, split))
      // With tracing on, the app handles every request, within its span.
      if (route === undefined || telemetry.traces !== null) return false
      const head = parseSimpleGet(request)
      if (head === null || !isServedHere(request, head.host)) return false
      const read = route.read(url.slice(split))
      if (read === null) return false
      const address =
        inProcessClient(request.socket) ?? clientAddress(request.socket.remoteAddress, head.forwardedFor)
      const context = createRequestContext(request, response, acceptedId(head.requestId), address)
      context.route = route.route
      void respond(read, context, app)
      return true
    },
  }
}

export type FastPath = Readonly<ReturnType<typeof createFastPath>>
