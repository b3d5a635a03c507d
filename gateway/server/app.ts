import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { requestIdOf } from '#libs/runtime/request-id.js'
import { isGatedShareId } from '#shared/core/share-id.js'
import type { PageForms } from '../features/pages/page-forms.js'
import { busyPage, wantsPage } from '../http/busy-page.js'
import { closeAfterRefusal, ignoreBody, inProcessClient } from '../http/connections.js'
import type { Operation } from '../http/operation.js'
import { languageOf } from '../http/page-language.js'
import { countProblem, type RequestLog } from '../http/request-log.js'
import { type Cors, isPreflight, setSecurityHeaders } from '../http/responses.js'
import type { ShareHost } from '../http/share-host.js'
import { type AdmitDependencies, admitToPage, handle } from '../pipeline/admit.js'
import type { ClientAddress } from '../rate-limits/client-address.js'
import {
  badAddress,
  methodNotAllowed,
  notFound,
  nothingForSale,
  sendProblem,
  toProblem,
} from '../request/problem.js'
import {
  contextOf,
  createRequestContext,
  RequestAborted,
  type RequestContext,
} from '../request/request-context.js'
import { checkHead, stripInternalHeaders } from '../request/request-head.js'

export interface AppDependencies extends Partial<PageForms> {
  readonly operations: readonly Operation[]
  readonly admit: AdmitDependencies
  readonly clientAddress: ClientAddress
  /** Turns the billing routes into 404s. */
  readonly everyoneIsPro: boolean
  readonly cors: Cors
  /** `null` if share pages have no host of their own. */
  readonly shareHost?: ShareHost | null
  /** Serves GET and HEAD of every path outside the API. */
  readonly webProxy: RequestHandler
  readonly requestLog: RequestLog
  readonly log: Logger
}

/** Set by the fast path or the first middleware. */
function requestOf(response: Response): RequestContext {
  const context = contextOf(response)
  if (context === undefined) throw new Error('a request has no context')
  return context
}

function handlerOf(operation: Operation, admit: AdmitDependencies): RequestHandler {
  return (request, response) => {
    const context = requestOf(response)
    context.params = request.params as Readonly<Record<string, string>>
    return handle(admit, operation, context)
  }
}

/** Methods whose body, if any, is ignored. */
const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/** Every GET also serves HEAD. */
function methodsOf({ method }: Operation): readonly string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
}

function mountPath(
  app: Express,
  path: string,
  operations: readonly Operation[],
  { admit, cors }: AppDependencies,
): void {
  const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const allowed = operations.flatMap(methodsOf)
  const anyOrigin = operations.some((operation) => operation.anyOrigin === true)
  route.all((request, response, next) => {
    if (isPreflight(request)) return cors.respondToPreflight(request, response, allowed, anyOrigin)
    const operation = operations.find((one) => methodsOf(one).includes(request.method))
    cors.allowRead(request, response, operation?.anyOrigin === true)
    if (operation === undefined) throw methodNotAllowed(allowed)
    next()
  })
  for (const operation of operations) route[operation.method](handlerOf(operation, admit))
}

/** Turns Express's own errors into domain errors. */
function translate(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error
  const status = 'status' in error ? error.status : undefined
  if (error instanceof URIError || status === 400)
    return badAddress('The path is not valid percent-encoding.')
  return error
}

function errorHandler(log: Logger, homeUrl: string) {
  return (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (thrown instanceof RequestAborted || (request.destroyed && response.destroyed)) {
      response.destroy()
      return
    }
    const error = translate(thrown)
    const context = requestOf(response)
    const { requestId } = context
    const problem = toProblem(error, requestId)
    context.code = problem.code
    countProblem(problem.code)
    if (problem.status === 500)
      log.error({ event: 'unexpected_error', err: error, request_id: requestId }, 'unexpected error')
    else if (problem.status > 500)
      log.warn({ event: 'request_unavailable', err: error, request_id: requestId }, problem.code)
    closeAfterRefusal(request, response)
    sendProblem(
      response,
      (wantsPage(request) ? busyPage(error, problem, languageOf(request), homeUrl) : null) ?? problem,
    )
  }
}

/** Limits the share host to shares. Any other page gets the 404 page of web. */
function limitToShares(shareHost: ShareHost): RequestHandler {
  return (request, _response, next) => {
    if (!shareHost.isNamed(request.headers.host) || shareHost.serves(request)) return next()
    if (!/^\/(?!(api|healthz|readyz)(\/|$))/.test(request.path)) throw notFound('This path')
    request.url = '/s/'
    next()
  }
}

/** Redirects share pages to their own host, so that strangers' content never runs under another origin. */
function redirectToShares(shareHost: ShareHost): RequestHandler {
  return (request, response, next) => {
    const location = shareHost.isNamed(request.headers.host) ? null : shareHost.redirectTo(request.url)
    if (location === null) return next()
    // 302, not 301: the operator may merge the hosts again.
    response.writeHead(302, { Location: location, 'Content-Length': 0 })
    response.end()
  }
}

/** The form of the page of a gated share, which reveals it. */
function mountRevealForm(app: Express, { revealForm, shareHost, webProxy }: AppDependencies): void {
  if (revealForm === undefined) return
  app.post('/s/:id', (request, response, next) => {
    const { id } = request.params
    const isElsewhere = shareHost?.isNamed(request.headers.host) === false
    if (!isGatedShareId(id) || isElsewhere) return next()
    const context = requestOf(response)
    context.route = 'web'
    revealForm(context, id)
      .then((done) => (done ? undefined : webProxy(request, response, next)))
      .catch(next)
  })
}

/** The address of the API reference with a slash, as people type it and some links have it. */
const leaveOutSlash: RequestHandler = ({ method, path }, response, next) => {
  if (path !== '/api/docs/' || !/^(GET|HEAD)$/.test(method)) return next()
  response.writeHead(301, { Location: '/api/docs', 'Content-Length': 0 })
  response.end()
}

/** Creates the request's context unless the fast path already has, and logs the request when it ends. */
function beginContext({ clientAddress, requestLog }: AppDependencies): RequestHandler {
  return (request, response, next) => {
    const { 'x-forwarded-for': forwarded } = request.headers
    const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
    const context =
      contextOf(response) ??
      createRequestContext(
        request,
        response,
        requestIdOf(request),
        inProcessClient(request.socket) ?? clientAddress(request.socket.remoteAddress, forwardedFor),
      )
    requestLog.follow(context, () => {
      response.setHeader('X-Request-Id', context.requestId)
      setSecurityHeaders(response)
      checkHead(request)
      if (bodyless.has(request.method)) ignoreBody(request, response)
      stripInternalHeaders(request)
      next()
    })
  }
}

/**
 * The Express application: all operations, 405 and 404 for the rest of the API, and the web application for everything
 * else.
 */
export function createApp(parts: AppDependencies): Express {
  const { operations, admit, everyoneIsPro, shareHost = null, webProxy, toolForm = null, log } = parts
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.use(beginContext(parts))
  if (shareHost !== null) app.use(limitToShares(shareHost))
  for (const path of new Set(operations.map((operation) => operation.path))) {
    mountPath(
      app,
      path,
      operations.filter((operation) => operation.path === path),
      parts,
    )
  }
  if (toolForm !== null)
    app.post('/tools/:name', (request, response) => {
      const context = requestOf(response)
      context.route = '/tools/{name}'
      return toolForm(context, request.params.name)
    })
  mountRevealForm(app, parts)
  app.use(leaveOutSlash)
  app.use((request, response, next) => {
    if (everyoneIsPro && /^\/api\/(subscription|webhooks)(\/|$)/.test(request.path)) throw nothingForSale()
    if (/^\/(api|healthz|readyz)(\/|$)/.test(request.path)) throw notFound('This path')
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD'])
    const context = requestOf(response)
    context.route = 'web'
    // Public and immutable: they count for nothing.
    if (/^\/assets\//.test(request.path)) return next()
    admitToPage(admit, context)
      .finally(() => admit.limits.report(context))
      .then(() => next(context.failure ?? undefined), next)
  })
  if (shareHost !== null) app.use(redirectToShares(shareHost))
  app.use(webProxy)
  app.use(errorHandler(log, shareHost?.homeUrl ?? '/'))
  return app
}
