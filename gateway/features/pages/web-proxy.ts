import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Stream } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { unavailable } from '#libs/core/domain-error.js'
import { accessGrantHeader } from '#shared/core/access-grant.js'
import { pageLanguageHeader } from '#shared/core/page-language.js'
import { plansHeader } from '#shared/core/plans-header.js'
import { languageOf } from '../../http/page-language.js'
import { countProblem } from '../../http/request-log.js'
import { securityHeaders } from '../../http/responses.js'
import { sendProblem, toProblem } from '../../request/problem.js'
import { accessGrantOf } from '../shares/share-gate.js'

/**
 * Removes what only the gateway needs from a proxied request: credentials, and `Expect`, which has been handled and
 * would make the proxy skip its header hooks.
 */
function stripCredentials({ headers }: IncomingMessage, response: ServerResponse): void {
  for (const name of ['authorization', 'x-api-key', 'cookie', 'expect']) delete headers[name]
  headers['x-request-id'] = String(response.getHeader('X-Request-Id') ?? '')
}

export interface PageTimeLimits {
  /** The maximum time until its response begins. */
  readonly responseMs: number
  /** The maximum time without a byte: the web application may hang, or the client may not read. */
  readonly stalledMs: number
}

/** What differs from the defaults. */
interface WebProxyParts extends PageTimeLimits {
  /** What the front page says of plans; without it, it links to them. It must not reject. */
  readonly listPlans: () => Promise<object>
}

const usualLimits: PageTimeLimits = { responseMs: 10_000, stalledMs: 30_000 }

/** Replaces the body of each proxied request, since pages take none; Node discards what the caller sends. */
class NoBody extends Stream {
  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    target.end()
    return target
  }
}

/** Connection headers are hop-by-hop (RFC 9110 §7.6.1), so they are not forwarded. */
function renewConnectionHeaders(page: IncomingMessage, response: ServerResponse): void {
  for (const name of ['connection', 'keep-alive']) delete page.headers[name]
  const stays = response.shouldKeepAlive && !response.hasHeader('Connection')
  // The proxy takes its own `Connection` header from here.
  response.req.headers.connection = stays ? 'keep-alive' : 'close'
}

/** Passes on the grant of a gated share's page. */
function passAccessGrant(request: IncomingMessage): void {
  const grant = request.headers.cookie === undefined ? '' : accessGrantOf(request)
  if (grant !== '') request.headers[accessGrantHeader] = grant
}

/** Less than the 75 s after which the web application closes idle connections. */
const idleMs = 60_000
const idleMax = 64

/** Whether a request was sent on a connection that was just being closed, so that it can be retried. */
function metClosedConnection(error: NodeJS.ErrnoException, sent: ClientRequest | undefined): boolean {
  return sent?.reusedSocket === true && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/**
 * Proxies pages to the web application over kept-alive connections, without credentials. The page's own security and
 * caching headers replace those of the API; request id and rate limits stay. If a page breaks off, the connection is
 * closed, so that no one takes it for complete.
 */
export function createWebProxy(
  webUrl: string,
  { responseMs, stalledMs, listPlans }: Partial<WebProxyParts> = {},
): RequestHandler {
  const agent = new Agent({
    keepAlive: true,
    timeout: idleMs,
    maxFreeSockets: idleMax,
    scheduling: 'lifo',
  })
  const sent = new WeakMap<IncomingMessage, ClientRequest>()
  const proxy = createProxyMiddleware<Request, Response>({
    target: webUrl,
    agent,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: responseMs ?? usualLimits.responseMs,
    buffer: new NoBody(),
    on: {
      proxyReq: (outgoing, request) => void sent.set(request, outgoing),
      proxyRes: (page, _request, response) => {
        for (const name of Object.keys(securityHeaders)) response.removeHeader(name)
        renewConnectionHeaders(page, response)
        page.setTimeout(stalledMs ?? usualLimits.stalledMs)
        page.once('close', () => {
          if (!page.complete) response.destroy()
        })
      },
      error: (error, request, response) => {
        if (!('writeHead' in response)) return
        const first = sent.get(request)
        sent.delete(request)
        if (metClosedConnection(error, first) && !response.headersSent && !response.destroyed)
          return void proxy(request, response, () => {})
        const requestId = String(response.getHeader('X-Request-Id') ?? '')
        countProblem('unavailable')
        sendProblem(
          response,
          toProblem(unavailable('This page is temporarily unavailable. Try again.', error), requestId),
        )
      },
    },
  })
  // Web gets the grant of a gated share's page, the language, and no cookie.
  return async (request, response, next) => {
    passAccessGrant(request)
    request.headers[pageLanguageHeader] = languageOf(request)
    stripCredentials(request, response)
    for (const name of ['content-length', 'transfer-encoding']) delete request.headers[name]
    // The caller's connection headers do not apply to this connection.
    request.headers.connection = 'keep-alive'
    if (request.path === '/' && listPlans !== undefined)
      request.headers[plansHeader] = JSON.stringify(await listPlans())
    void proxy(request, response, next)
  }
}
