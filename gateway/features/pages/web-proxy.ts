import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Stream } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { unavailable } from '#libs/core/domain-error.js'
import { sendProblem, toProblem } from '../../http/problem.js'
import { countProblem } from '../../http/request-log.js'
import { securityHeaders } from '../../http/responses.js'
import { stripCredentials } from '../../http/strip-credentials.js'

/** Timeouts for a page, in milliseconds. */
export interface PageTimeLimits {
  /** Until its response begins. */
  readonly responseMs: number
  /** Without a byte in either direction: the web application may hang, or the client may not read. */
  readonly stalledMs: number
}

const usualLimits: PageTimeLimits = { responseMs: 10_000, stalledMs: 30_000 }

/** The body of each proxied request. Pages take none; Node discards what the caller sends. */
class NoBody extends Stream {
  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    target.end()
    return target
  }
}

/** Connection headers are hop-by-hop (RFC 9110 §7.6.1) and are not forwarded. */
function renewConnectionHeaders(page: IncomingMessage, response: ServerResponse): void {
  for (const name of ['connection', 'keep-alive']) delete page.headers[name]
  const stays = response.shouldKeepAlive && !response.hasHeader('Connection')
  // The proxy continues from here.
  response.req.headers.connection = stays ? 'keep-alive' : 'close'
}

/** The web application closes idle connections after 75 s; this closes them earlier. */
const restMs = 60_000
const restingMax = 64

/** Whether a request met a connection that was just being closed: it got no response, so it can be retried. */
function metClosedConnection(error: NodeJS.ErrnoException, sent: ClientRequest | undefined): boolean {
  return sent?.reusedSocket === true && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/**
 * Proxies pages to the web application over kept-alive connections, without credentials. The web application sets the
 * security and caching headers of a page, so those of the API are removed; request id and rate limits stay. If a page
 * breaks off, so does the connection, so that no one takes it for complete.
 */
export function createWebProxy(webUrl: string, { responseMs, stalledMs } = usualLimits): RequestHandler {
  const agent = new Agent({
    keepAlive: true,
    timeout: restMs,
    maxFreeSockets: restingMax,
    scheduling: 'lifo',
  })
  const sent = new WeakMap<IncomingMessage, ClientRequest>()
  const proxy = createProxyMiddleware<Request, Response>({
    target: webUrl,
    agent,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: responseMs,
    buffer: new NoBody(),
    on: {
      proxyReq: (outgoing, request) => void sent.set(request, outgoing),
      proxyRes: (page, _request, response) => {
        for (const name of Object.keys(securityHeaders)) response.removeHeader(name)
        renewConnectionHeaders(page, response)
        page.setTimeout(stalledMs)
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
  return (request, response, next) => {
    stripCredentials(request, response)
    for (const name of ['content-length', 'transfer-encoding']) delete request.headers[name]
    // The caller's connection headers do not apply to this connection.
    request.headers.connection = 'keep-alive'
    void proxy(request, response, next)
  }
}
