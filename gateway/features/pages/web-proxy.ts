import type { IncomingMessage, ServerResponse } from 'node:http'
import { Stream } from 'node:stream'
import type { RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { unavailable } from '#libs/core/domain-error.js'
import { sendProblem, toProblem } from '../../http/problem.js'
import { countProblem } from '../../http/request-log.js'
import { securityHeaders } from '../../http/security-headers.js'
import { keepCredentials } from '../../http/strip-credentials.js'

/** How long a page may be waited for, in milliseconds. */
export interface PageTimeLimits {
  /** Until its answer begins. */
  readonly answerMs: number
  /** Without a byte of it passing: the web application may hang, or the reader take nothing. */
  readonly stalledMs: number
}

const usualLimits: PageTimeLimits = { answerMs: 10_000, stalledMs: 30_000 }

/** What is sent as the body of each request. A page takes none; Node throws away what the caller sends. */
class NoBody extends Stream {
  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    target.end()
    return target
  }
}

/** Headers speak of one connection alone (RFC 9110 §7.6.1): what is said of that to the web application is not passed on. */
function renewConnectionHeaders(page: IncomingMessage, response: ServerResponse): void {
  for (const name of ['connection', 'keep-alive']) delete page.headers[name]
  const stays = response.shouldKeepAlive && !response.hasHeader('Connection')
  // The proxy takes it from here.
  response.req.headers.connection = stays ? 'keep-alive' : 'close'
}

/**
 * Passes pages on to the web application. It needs no credentials and is given none. It says itself what browsers may do
 * with a page and how long to keep it, so that what the API says of that goes; request id and rate limits stay. A page
 * that breaks off breaks the connection off, so that it is never taken for a whole one.
 */
export function createWebProxy(webUrl: string, { answerMs, stalledMs } = usualLimits): RequestHandler {
  const proxy = createProxyMiddleware({
    target: webUrl,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: answerMs,
    buffer: new NoBody(),
    on: {
      proxyRes: (page, _request, response) => {
        for (const name of Object.keys(securityHeaders)) response.removeHeader(name)
        renewConnectionHeaders(page, response)
        page.setTimeout(stalledMs)
        page.once('close', () => {
          if (!page.complete) response.destroy()
        })
      },
      error: (error, _request, response) => {
        if (!('writeHead' in response)) return
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
    keepCredentials(request, response)
    for (const name of ['content-length', 'transfer-encoding']) delete request.headers[name]
    void proxy(request, response, next)
  }
}
