import type { RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { unavailable } from '#libs/core/domain-error.js'
import { countProblem } from '../count-problem.js'
import { securityHeaders } from '../middleware/security-headers.js'
import { sendProblem, toProblem } from '../problem.js'

/** The time that the web application may take to answer, in milliseconds. */
const timeoutMs = 10_000

/**
 * Passes pages on to the web application. It needs no credentials and is given none. It says itself what browsers may do
 * with a page and how long to keep it, so that what the API says of that goes; request id and rate limits stay.
 */
export function createWebProxy(webUrl: string): RequestHandler {
  return createProxyMiddleware({
    target: webUrl,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: timeoutMs,
    on: {
      proxyReq: (proxyRequest, _request, response) => {
        proxyRequest.setHeader('X-Request-Id', String(response.getHeader('X-Request-Id') ?? ''))
        for (const name of ['authorization', 'x-api-key', 'cookie']) proxyRequest.removeHeader(name)
      },
      proxyRes: (_proxyResponse, _request, response) => {
        for (const name of Object.keys(securityHeaders)) response.removeHeader(name)
      },
      error: (error, _request, response) => {
        if (!('writeHead' in response)) return
        const requestId = String(response.getHeader('X-Request-Id') ?? '')
        countProblem('unavailable')
        sendProblem(
          response,
          toProblem(
            unavailable('The page cannot be shown at the moment. Please try again.', error),
            requestId,
          ),
        )
      },
    },
  })
}
