import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { RequestAborted } from '../body/read-body.js'
import { type AdmitParts, admitCaller, countForgery } from '../pipeline/admit.js'
import { begunOf } from '../pipeline/begun.js'
import type { EarlyRefusal } from '../pipeline/early-refusal.js'
import type { ClientAddress } from '../rate-limits/client-address.js'
import { RateLimited } from '../rate-limits/rate-limited.js'
import { createAccessLog } from './access-log.js'
import { checkHead } from './check-head.js'
import { closeAfterRefusal, ignoreBody } from './close-after-refusal.js'
import { type Cors, isPreflight } from './cors.js'
import { countProblem } from './count-problem.js'
import type { Exchange } from './exchange.js'
import { stripInternalHeaders } from './internal-headers.js'
import type { Operation } from './operation.js'
import { badAddress, methodNotAllowed, notFound, nothingForSale, sendProblem, toProblem } from './problem.js'
import { requestIdOf } from './request-id.js'
import { setSecurityHeaders } from './security-headers.js'
import type { ShareHost } from './share-host.js'

/** What the app is made from. */
export interface AppParts {
  readonly operations: readonly Operation[]
  readonly admit: AdmitParts
  readonly clientAddress: ClientAddress
  /** Then there is nothing to subscribe to. */
  readonly everyoneIsPro: boolean
  readonly cors: Cors
  /** `null` where shares have no host of their own, as without it. */
  readonly shareHost?: ShareHost | null
  /** Answers GET and HEAD of every path that is not the API's. */
  readonly webProxy: RequestHandler
  /** Told of every request that a limit has refused. */
  readonly earlyRefusal?: Pick<EarlyRefusal, 'note'>
  readonly log: Logger
}

/** Aborted when the caller goes away before its answer is complete. */
function abortedWith(response: Response): AbortSignal {
  const abort = new AbortController()
  if (response.closed && !response.writableFinished) abort.abort()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  return abort.signal
}

function searchOf({ originalUrl }: Request): URLSearchParams {
  const query = originalUrl.indexOf('?')
  return new URLSearchParams(query === -1 ? '' : originalUrl.slice(query + 1))
}

function exchangeOf(request: Request, response: Response): Exchange {
  let signal: AbortSignal | undefined
  let search: URLSearchParams | undefined
  return {
    request,
    response,
    requestId: String(response.getHeader('X-Request-Id')),
    clientAddress: String(response.locals.clientAddress),
    get signal() {
      signal ??= abortedWith(response)
      return signal
    },
    params: request.params as Readonly<Record<string, string>>,
    get search() {
      search ??= searchOf(request)
      return search
    },
  }
}

function handlerOf(operation: Operation, admit: AdmitParts): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(request, response)
    const begun = begunOf(response)
    response.locals.route = operation.path
    if (operation.access === 'public') {
      if (begun?.place !== undefined) admit.limits.enforce(response, begun.place.limit, begun.place.admission)
      else if (operation.rate === undefined) await admit.limits.nobody(exchange)
      const handled = operation.handle(exchange)
      return operation.rate === 'forgeries' ? countForgery(admit.limits, exchange, handled) : handled
    }
    const caller = await admitCaller(admit, operation, exchange, begun)
    response.locals.accountId = caller.accountId
    if (begun?.failure !== undefined) throw begun.failure
    return operation.handle(exchange, caller)
  }
}

/** Methods whose requests may have a body that no operation has a use for. */
const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE'])

/** The methods that an operation answers: HEAD wherever GET does. */
function methodsOf({ method }: Operation): readonly string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]
}

function mountPath(
  app: Express,
  path: string,
  operations: readonly Operation[],
  { admit, cors }: AppParts,
): void {
  const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
  const allowed = operations.flatMap(methodsOf)
  const anyOrigin = operations.some((operation) => operation.anyOrigin === true)
  route.all((request, response, next) => {
    if (isPreflight(request)) return cors.answerPreflight(request, response, allowed, anyOrigin)
    const operation = operations.find((one) => methodsOf(one).includes(request.method))
    cors.allowRead(request, response, operation?.anyOrigin === true)
    if (operation === undefined) throw methodNotAllowed(allowed)
    next()
  })
  for (const operation of operations) route[operation.method](handlerOf(operation, admit))
}

/** What Express and the router throw, in the words of the interface. */
function translate(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error
  const status = 'status' in error ? error.status : undefined
  if (error instanceof URIError || status === 400)
    return badAddress('The path is not valid percent-encoding.')
  return error
}

function errorHandler({ log, earlyRefusal }: Pick<AppParts, 'log' | 'earlyRefusal'>) {
  return (thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (thrown instanceof RequestAborted || (request.destroyed && response.destroyed)) {
      response.destroy()
      return
    }
    const error = translate(thrown)
    const requestId = String(response.getHeader('X-Request-Id'))
    const problem = toProblem(error, requestId)
    response.locals.code = problem.code
    countProblem(problem.code)
    if (error instanceof RateLimited) response.locals.accountId = error.caller?.accountId
    if (problem.status === 500) log.error({ err: error, request_id: requestId }, 'an unexpected error')
    else if (problem.status > 500) log.warn({ err: error, request_id: requestId }, problem.code)
    closeAfterRefusal(request, response)
    sendProblem(response, problem)
    if (error instanceof RateLimited) earlyRefusal?.note(error, request, response)
  }
}

/** Has the host of shares answer what belongs to shares alone; for a page, the web says that there is none. */
function keepToShares(shareHost: ShareHost): RequestHandler {
  return (request, _response, next) => {
    if (!shareHost.isNamed(request.headers.host) || shareHost.answers(request)) return next()
    if (!/^\/(?!(api|healthz|readyz)(\/|$))/.test(request.path)) throw notFound('This path')
    request.url = '/s/'
    next()
  }
}

/** Sends pages of shares to their own host: what strangers share is never shown under any other origin. */
function sendToShares(shareHost: ShareHost): RequestHandler {
  return (request, response, next) => {
    const place = shareHost.isNamed(request.headers.host) ? null : shareHost.placeOf(request.url)
    if (place === null) return next()
    // Found, not moved for ever: the operator may have shares and dashboard on one host again.
    response.writeHead(302, { Location: place, 'Content-Length': 0 })
    response.end()
  }
}

/** The Express application: every operation of the table, 405 and 404 for the rest of the API, the web for all else. */
export function createApp(parts: AppParts): Express {
  const { operations, admit, clientAddress, everyoneIsPro, shareHost = null, webProxy, log } = parts
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.set('query parser', false)
  app.enable('case sensitive routing')
  app.enable('strict routing')
  app.use(createAccessLog(log), (request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(request))
    setSecurityHeaders(response)
    checkHead(request)
    if (bodyless.has(request.method)) ignoreBody(request, response)
    const { 'x-forwarded-for': forwardedFor } = request.headers
    response.locals.clientAddress = clientAddress(
      request.socket.remoteAddress,
      Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor,
    )
    response.locals.rawHeaders = request.rawHeaders
    stripInternalHeaders(request)
    next()
  })
  if (shareHost !== null) app.use(keepToShares(shareHost))
  for (const path of new Set(operations.map((operation) => operation.path))) {
    mountPath(
      app,
      path,
      operations.filter((operation) => operation.path === path),
      parts,
    )
  }
  app.use((request, response, next) => {
    if (everyoneIsPro && /^\/api\/(subscription|webhooks)(\/|$)/.test(request.path)) throw nothingForSale()
    if (/^\/(api|healthz|readyz)(\/|$)/.test(request.path)) throw notFound('This path')
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD'])
    response.locals.route = 'web'
    admit.limits.nobody(exchangeOf(request, response)).then(() => next(), next)
  })
  if (shareHost !== null) app.use(sendToShares(shareHost))
  app.use(webProxy)
  app.use(errorHandler(parts))
  return app
}
