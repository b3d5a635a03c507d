import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Stream } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { unavailable } from '#libs/core/domain-error.js'
import { sendProblem, toProblem } from '../../http/problem.js'
import { countProblem } from '../../http/request-log.js'
import { securityHeaders } from '../../http/responses.js'
import { stripCredentials } from '../../http/strip-credentials.js'

/** How long a page may be waited for, in milliseconds. */
export interface PageTimeLimits {
  /** Until its response begins. */
  readonly responseMs: number
  /** Without a byte of it passing: the web application may hang, or the reader take nothing. */
  readonly stalledMs: number
}

const usualLimits: PageTimeLimits = { responseMs: 10_000, stalledMs: 30_000 }

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

/** A connection that rested is mostly closed by the web application, which keeps it for 75 s, after this one. */
const restMs = 60_000
const restingMax = 64

/** Whether a request met a connection that was just closed: it got no response, so it may be sent again. */
function metClosedConnection(error: NodeJS.ErrnoException, sent: ClientRequest | undefined): boolean {
  return sent?.reusedSocket === true && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/**
 * Passes pages on to the web application, over connections that are kept. It needs no credentials and is given none. It
 * says itself what browsers may do with a page and how long to keep it, so that what the API says of that goes; request
 * id and rate limits stay. A page that breaks off breaks the connection off, so that it is never taken for a whole one.
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
    // What the caller says of its own connection is not said of ours.
    request.headers.connection = 'keep-alive'
    void proxy(request, response, next)
  }
}
