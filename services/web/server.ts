import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { observeAnswer } from '#libs/telemetry/observe-http.js'
import { pageHeaders } from './page-headers.js'
import { sharePage } from './share-page.js'
import type { ShareReader } from './share-reader.js'
import { shownBytesMax } from './shown-data.js'
import {
  expiredPage,
  failurePage,
  landingPage,
  notFoundPage,
  readOnlyPage,
  unavailablePage,
} from './status-pages.js'
import { styleSheet, styleSheetPath } from './style-sheet.js'

/** Seconds that the page of a share may be cached at most. */
const cacheSecondsMax = 60
/** Milliseconds that each of the two reads of a page may take; both together stay below what the gateway waits. */
const readTimeoutMs = 4_000
/** Enough to see whether the last character shown is whole. */
const headBytesMax = shownBytesMax + 4

interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const noStore = { 'Cache-Control': 'no-store' }

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

function cacheControl(timeLeftMs: number | null): string {
  const seconds = Math.min(cacheSecondsMax, Math.floor((timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000))
  return seconds > 0 ? `public, max-age=${seconds}` : 'no-store'
}

/** The page of an expected failure; `null` for one that a reader of shares does not have. */
function refusal(error: DomainError): Answer | null {
  switch (error.kind) {
    case 'gone': {
      const { title, expired_at: expiredAt } = error.details
      return { status: 410, body: expiredPage(String(title), new Date(String(expiredAt))), headers: noStore }
    }
    case 'not-found':
      return { status: 404, body: notFoundPage(), headers: noStore }
    case 'unavailable':
    case 'timeout':
      return { status: 503, body: unavailablePage(), headers: { ...noStore, 'Retry-After': '2' } }
    default:
      return null
  }
}

async function answerShare(shares: ShareReader, id: string, requestId: string): Promise<Answer> {
  try {
    const share = await shares.read(id, headBytesMax, { requestId, timeoutMs: readTimeoutMs })
    const headers = { 'Cache-Control': cacheControl(share.timeLeftMs) }
    return { status: 200, body: sharePage(share), headers }
  } catch (error) {
    const page = error instanceof DomainError ? refusal(error) : null
    if (page === null) throw error
    return page
  }
}

function answerAsset(body: string, contentType: string, caching: string): Answer {
  const headers = { 'Content-Type': contentType, 'Cache-Control': caching }
  return { status: 200, body: Buffer.from(body), headers }
}

async function answer(shares: ShareReader, request: IncomingMessage, requestId: string): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, body: readOnlyPage(), headers: { ...noStore, Allow: 'GET, HEAD' } }
  }
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (path === '/') {
    return { status: 200, body: landingPage(), headers: { 'Cache-Control': 'public, max-age=60' } }
  }
  if (path === styleSheetPath) {
    return answerAsset(styleSheet, 'text/css; charset=utf-8', 'public, max-age=31536000, immutable')
  }
  if (path === '/healthz') return answerAsset('ok', 'text/plain; charset=utf-8', 'no-store')
  const id = /^\/s\/([0-9A-Za-z]{22})$/.exec(path)?.[1]
  return id === undefined
    ? { status: 404, body: notFoundPage(), headers: noStore }
    : answerShare(shares, id, requestId)
}

const shareRoute = '/s/{id}'

/** The template of a path, for metrics. */
function routeOf(url = '/'): string {
  const path = url.split('?')[0] ?? '/'
  if (path.startsWith('/s/')) return shareRoute
  if (path === styleSheetPath) return '/assets/{hash}.css'
  return path === '/' || path === '/healthz' ? path : 'none'
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, {
    ...pageHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    ...headers,
  })
  response.end(body)
}

/** The server of the pages. */
export function createPageServer(shares: ShareReader, log: Logger): Server {
  const respond = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
    answer(shares, request, requestId)
      .catch((error: unknown): Answer => {
        log.error({ err: error, request_id: requestId }, 'an unexpected error')
        return { status: 500, body: failurePage(), headers: noStore }
      })
      .then((found) => {
        send(response, found)
        log.debug({ request_id: requestId, status: found.status }, 'page')
      })
      .catch(() => response.destroy())
  }
  return createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const requestId = requestIdOf(request)
    observeAnswer(request, response, { route: routeOf(request.url), requestId }, () => {
      respond(request, response, requestId)
    })
  })
}
