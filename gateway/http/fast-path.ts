import type { IncomingMessage, ServerResponse } from 'node:http'
import { telemetry } from '#libs/telemetry/telemetry.js'
import { type AdmitParts, admit } from '../pipeline/admit.js'
import type { ClientAddress } from '../rate-limits/client-address.js'
import { RateLimited, rateHeaders } from '../rate-limits/rate-limited.js'
import { privateReadHeaders, publicReadHeaders } from './cors.js'
import type { FastRead, FastResponse, Operation } from './operation.js'
import { parseSimpleGet } from './parse-simple-get.js'
import { toProblem } from './problem.js'
import { createRequestContext, type RequestContext } from './request-context.js'
import { acceptedId } from './request-id.js'
import { countProblem, type RequestLog } from './request-log.js'
import { securityHeaders } from './security-headers.js'
import type { ShareHost } from './share-host.js'

/** Answers plain reads without Express. */
export interface FastPath {
  /** False for a request that is left to the app at once; another is given to `app` if there is no response for it here. */
  serve(request: IncomingMessage, response: ServerResponse, app: () => void): boolean
}

export interface FastPathParts {
  readonly operations: readonly Operation[]
  readonly admit: AdmitParts
  readonly clientAddress: ClientAddress
  /** `null` where shares have no host of their own. */
  readonly shareHost: ShareHost | null
  readonly requestLog: RequestLog
}

/** An operation with a fast read, and the headers that all of its fast responses share: name, value, name, value. */
interface FastRoute {
  readonly operation: Operation
  readonly read: FastRead
  readonly headers: readonly string[]
}

/** Leaves everything to the app. */
export const noFastPath: FastPath = { serve: () => false }

/** The fast routes by what stands before their one parameter, at the end of the path. */
function routesOf(operations: readonly Operation[]): ReadonlyMap<string, FastRoute> {
  const routes = new Map<string, FastRoute>()
  for (const operation of operations) {
    const { path, fast: read, anyOrigin } = operation
    if (read === undefined) continue
    const [, prefix] = /^([^{}]*\/)\{\w+\}$/.exec(path) ?? []
    if (operation.method !== 'get' || prefix === undefined)
      throw new Error(`${operation.operationId} has no path for a fast read`)
    const { 'Cache-Control': _cacheControl, ...lasting }: Readonly<Record<string, string>> = {
      ...securityHeaders,
      ...(anyOrigin === true ? publicReadHeaders : privateReadHeaders),
    }
    routes.set(prefix, { operation, read, headers: Object.entries(lasting).flat() })
  }
  return routes
}

/** The headers of every response, as the app sets them: one list costs Node a third of what headers set one by one do. */
function headersOf({ requestId, place }: RequestContext, { headers }: FastRoute): (string | number)[] {
  const list: (string | number)[] = [...headers, 'X-Request-Id', requestId]
  if (place !== null)
    for (const [name, value] of rateHeaders(place.policy, place.admission)) list.push(name, value)
  return list
}

function send(context: RequestContext, route: FastRoute, { etag, cacheControl, body }: FastResponse): void {
  const { response } = context
  const list = headersOf(context, route)
  list.push('Content-Type', 'application/json; charset=utf-8', 'ETag', etag, 'Content-Length', body.length)
  list.push('Cache-Control', cacheControl ?? securityHeaders['Cache-Control'] ?? '')
  response.writeHead(200, list)
  response.end(body, 'latin1')
}

/** A flood of these must cost little. */
function sendRateLimited(context: RequestContext, route: FastRoute, error: RateLimited): void {
  const { response, requestId } = context
  const { status, code, headers, body } = toProblem(error, requestId)
  context.code = code
  countProblem(code)
  const list = headersOf(context, route)
  for (const [name, value] of Object.entries(headers)) list.push(name, value)
  list.push('Content-Length', Buffer.byteLength(body))
  response.writeHead(status, list)
  response.end(body)
}

/**
 * Answers what is asked for most, plain reads of small snippets and shares, without Express, which takes longer than all
 * else that is done for them (docs/decisions/0062-one-pipeline.md). The stages are those of `pipeline/admit.ts`, and the
 * routes those of the table of operations. Whatever is out of the ordinary, every error but a 429 included, is left to the app,
 * which finds in the context of the request what has been done already.
 */
export function createFastPath(parts: FastPathParts): FastPath {
  const { operations, clientAddress, shareHost, requestLog } = parts
  const routes = routesOf(operations)

  const respond = async (
    route: FastRoute,
    read: ReturnType<FastRead>,
    context: RequestContext,
    app: () => void,
  ): Promise<void> => {
    try {
      const caller = await admit(parts.admit, route.operation, context)
      const found = (await read?.(context, caller)) ?? null
      if (found === null) return app()
      send(context, route, found)
    } catch (error) {
      if (!(error instanceof RateLimited)) {
        context.failure = error
        return app()
      }
      sendRateLimited(context, route, error)
    }
    requestLog.record(context)
  }

  return {
    serve(request, response, app) {
      const { url = '' } = request
      const split = url.lastIndexOf('/') + 1
      const route = routes.get(url.slice(0, split))
      // A traced request is traced through all of its handling.
      if (route === undefined || telemetry.traces !== null) return false
      const head = parseSimpleGet(request)
      if (head === null) return false
      if (shareHost?.isNamed(head.host) === true && !shareHost.answers(request)) return false
      const read = route.read(url.slice(split))
      if (read === null) return false
      const address = clientAddress(request.socket.remoteAddress, head.forwardedFor)
      const context = createRequestContext(request, response, acceptedId(head.requestId), address)
      context.route = route.operation.path
      void respond(route, read, context, app)
      return true
    },
  }
}
