import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { Logger } from '#libs/log/logger.js'
import { pageHeaders } from './page-headers.js'
import { sharePage, shownBytesMax } from './share-page.js'
import type { ShareReader } from './share-reader.js'
import { expiredPage, landingPage, notFoundPage, readOnlyPage, unavailablePage } from './status-pages.js'
import { styleSheet, styleSheetPath } from './style-sheet.js'

/** Seconds that the page of a share may be cached at most, and milliseconds that content may take. */
const cacheSecondsMax = 60
const readTimeoutMs = 5_000

interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

const noStore = { 'Cache-Control': 'no-store' }

function sharePath(path: string): string | null {
  return /^\/s\/([0-9A-Za-z]{22})$/.exec(path)?.[1] ?? null
}

function cacheControl(timeLeftMs: number | null): string {
  const seconds = Math.min(cacheSecondsMax, Math.floor((timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000))
  return seconds > 0 ? `public, max-age=${seconds}` : 'no-store'
}

function refusal(error: DomainError): Answer {
  const { title, expired_at: expiredAt } = error.details
  switch (error.kind) {
    case 'gone':
      return { status: 410, body: expiredPage(String(title), new Date(String(expiredAt))), headers: noStore }
    case 'not-found':
      return { status: 404, body: notFoundPage(), headers: noStore }
    default:
      return { status: 503, body: unavailablePage(), headers: { ...noStore, 'Retry-After': '2' } }
  }
}

async function answerShare(shares: ShareReader, id: string, requestId: string, log: Logger): Promise<Answer> {
  try {
    const share = await shares.read(id, shownBytesMax + 4, { requestId, timeoutMs: readTimeoutMs })
    return {
      status: 200,
      body: sharePage(share),
      headers: { 'Cache-Control': cacheControl(share.timeLeftMs) },
    }
  } catch (error) {
    if (error instanceof DomainError) return refusal(error)
    log.error({ err: error, request_id: requestId }, 'an unexpected error')
    return { status: 500, body: unavailablePage(), headers: noStore }
  }
}

async function answer(
  shares: ShareReader,
  request: IncomingMessage,
  requestId: string,
  log: Logger,
): Promise<Answer> {
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, body: readOnlyPage(), headers: { ...noStore, Allow: 'GET, HEAD' } }
  }
  if (path === '/')
    return { status: 200, body: landingPage(), headers: { 'Cache-Control': 'public, max-age=60' } }
  if (path === styleSheetPath) {
    const headers = {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    }
    return { status: 200, body: Buffer.from(styleSheet), headers }
  }
  if (path === '/healthz')
    return { status: 200, body: Buffer.from('ok'), headers: { ...noStore, 'Content-Type': 'text/plain' } }
  const id = sharePath(path)
  return id === null
    ? { status: 404, body: notFoundPage(), headers: noStore }
    : answerShare(shares, id, requestId, log)
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
  return createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    const requestId = String(request.headers['x-request-id'] ?? randomUUID())
    answer(shares, request, requestId, log).then(
      (found) => {
        send(response, found)
        log.debug({ request_id: requestId, status: found.status }, 'page')
      },
      (error: unknown) => {
        log.error({ err: error, request_id: requestId }, 'an unexpected error')
        response.destroy()
      },
    )
  })
}
