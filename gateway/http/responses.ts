import type { IncomingMessage, ServerResponse } from 'node:http'
import accepts from 'accepts'
import { rateLines } from '../rate-limits/rate-limits.js'
import type { RequestContext } from '../request/request-context.js'
import { headerLine } from './node-internals/whole-response.js'

/** The headers of every API response, errors included; a route may override some of them. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-cache',
}

const entries = Object.entries(securityHeaders)

export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of entries) response.setHeader(name, value)
}

/** Marks the response to a repeated `Idempotency-Key`. */
export function replayedHeader(replayed: boolean): Readonly<Record<string, string>> {
  return replayed ? { 'Idempotent-Replayed': 'true' } : {}
}

const exposed =
  'ETag, Link, Location, Accept-Ranges, Content-Range, X-Total-Rows, Retry-After, X-Request-Id, Idempotent-Replayed, Content-Disposition, Snipkeep-Notes, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'
const requestHeaders =
  'Authorization, X-API-Key, Content-Type, Content-Encoding, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, Range, Idempotency-Key, Snipkeep-Grant, Snipkeep-Share-Password, X-Request-Id'
const preflightSeconds = 600

export const publicReadHeaders = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
}

/** For a response that only some origins may read, if the request has no `Origin`. */
export const privateReadHeaders = { Vary: 'Origin' }

export function isPreflight(request: IncomingMessage): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers.origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined
  )
}

/** @param origins compared exactly, as browsers write them: `https://app.example`. */
export function createCors(origins: readonly string[]) {
  const permitted = new Set(origins)
  const publicRead = Object.entries(publicReadHeaders)

  const permit = (request: IncomingMessage, response: ServerResponse, anyOrigin: boolean): boolean => {
    if (anyOrigin) {
      response.setHeader('Access-Control-Allow-Origin', '*')
      return true
    }
    response.appendHeader('Vary', privateReadHeaders.Vary)
    const { origin } = request.headers
    if (origin === undefined || !permitted.has(origin)) return false
    response.setHeader('Access-Control-Allow-Origin', origin)
    return true
  }

  return {
    /** Adds the headers with which a permitted origin may read the response. */
    allowRead(request: IncomingMessage, response: ServerResponse, anyOrigin: boolean) {
      if (anyOrigin) for (const [name, value] of publicRead) response.setHeader(name, value)
      else if (permit(request, response, false)) response.setHeader('Access-Control-Expose-Headers', exposed)
    },
    /** Sends 204; without permission for any other origin, so that its browser stops. */
    respondToPreflight(
      request: IncomingMessage,
      response: ServerResponse,
      methods: readonly string[],
      anyOrigin: boolean,
    ) {
      const wanted = request.headers['access-control-request-method']
      const public_ = anyOrigin && (wanted === 'GET' || wanted === 'HEAD')
      if (permit(request, response, public_)) {
        response.setHeader('Access-Control-Allow-Methods', (public_ ? ['GET', 'HEAD'] : methods).join(', '))
        response.setHeader('Access-Control-Allow-Headers', requestHeaders)
        response.setHeader('Access-Control-Max-Age', preflightSeconds)
      }
      response.writeHead(204)
      response.end()
    },
  }
}

/** Cross-origin rules: any origin may use public reads, only the configured origins everything else. */
export type Cors = Readonly<ReturnType<typeof createCors>>

export type Headers = Readonly<Record<string, string | number>>

/** For a small body: it is built as one string. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Headers = {},
): void {
  sendJsonText(response, status, JSON.stringify(body), headers)
}

/** The same, for JSON that is already text. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  // Node sends a string together with the headers, but bytes in a second write.
  response.end(text)
}

/** Sends a created or replaced record as JSON, or only its URL if `Accept` prefers `text/plain`, for scripts. */
export function sendCreated(
  { request, response }: RequestContext,
  record: unknown,
  url: string,
  headers: Headers,
  status: 200 | 201 = 201,
): void {
  if (accepts(request).type(['json', 'text/plain']) !== 'text/plain') {
    sendJson(response, status, record, headers)
    return
  }
  const text = `${url}\n`
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

/** The request id and rate-limit headers, as lines. */
export function ownHeaders({ requestId, counted }: RequestContext): string {
  const lines = headerLine('X-Request-Id', requestId)
  return counted === null ? lines : lines + rateLines(counted.policy, counted.admission)
}
