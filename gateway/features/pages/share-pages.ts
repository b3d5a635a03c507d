import { randomBytes } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createTtlCache } from '#libs/cache/ttl-cache.js'
import { acceptedCoding, encode } from '#libs/runtime/content-coding.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { shareCacheMs } from '#shared/core/share-invalidation.js'
import { createSendWhole, headerLine } from '../../http/node-internals/whole-response.js'
import type { FastRoute } from '../../http/operation.js'
import { ownHeaders } from '../../http/responses.js'
import { type AdmitDependencies, admitToPage } from '../../pipeline/admit.js'
import { isId } from '../../request/request-context.js'

/** A share page, or the page that explains why there is no share, as rendered by the web application. */
export interface SharePage {
  readonly status: number
  /** In characters. */
  readonly length: number
  /** Whether copies may be compressed: the web application decides, and says so by `Vary`. */
  readonly isCompressible: boolean
  /** Returns a copy with a new nonce. */
  copy(): { readonly headerLines: string; readonly body: string }
}

/** A short-lived cache of share pages, invalidated together with the share cache. */
export interface SharePages {
  /**
   * Returns a page that is at most two seconds old.
   * @throws Error if the web application does not return one.
   */
  read(id: string, requestId: string): Promise<SharePage>
  forget(id: string): void
  forgetAll(): void
}

const timeoutMs = 10_000
const bytesMax = 32 * 1024 * 1024
/** The approximate memory of a page besides its text. */
const overheadBytes = 1_024
/** The `Cache-Control` of a page that does not expire within the next minute. */
const lasting = 'private, max-age=60'
/** Headers of the connection, and those that are set again. */
const renewedHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'content-length', 'date'])

function headerLinesOf({ rawHeaders }: IncomingMessage): string {
  let lines = ''
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!renewedHeaders.has(name.toLowerCase())) lines += headerLine(name, value)
  }
  return lines
}

/**
 * Does not cache a page that expires soon, or one that explains why there is no share.
 * @param now a monotonic clock in milliseconds.
 */
export function createSharePages(webUrl: string, now: () => number): SharePages {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' })
  /** A secret placeholder, which each copy replaces by its own nonce. */
  const anyNonce = randomBytes(16).toString('hex')
  const cache = createTtlCache<SharePage>({
    now,
    sizeMax: bytesMax,
    sizeOf: ({ length }) => overheadBytes + 2 * length,
    lookups: {
      hit: metrics.sharePageLookups.series('hit'),
      shared: metrics.sharePageLookups.series('shared'),
      miss: metrics.sharePageLookups.series('miss'),
    },
  })

  const pageOf = (response: IncomingMessage, body: string): SharePage => {
    const status = response.statusCode ?? 500
    const parts = body.split(anyNonce)
    // Web of the previous release ignores the placeholder, and its nonce must not be used twice.
    if (status === 200 && parts.length === 1) throw new Error('the page has its own nonce')
    const lines = headerLinesOf(response).split(anyNonce)
    return {
      status,
      length: body.length,
      isCompressible: /^Vary: Accept-Encoding\r$/im.test(lines.join('')),
      copy() {
        const nonce = randomBytes(16).toString('base64')
        return { headerLines: lines.join(nonce), body: parts.join(nonce) }
      },
    }
  }

  const fetchPage = (id: string, requestId: string): Promise<{ page: SharePage; lasts: boolean }> =>
    new Promise((resolve, reject) => {
      const headers = { [pageNonceHeader]: anyNonce, 'X-Request-Id': requestId }
      const signal = AbortSignal.timeout(timeoutMs)
      const request = get(`${webUrl}/s/${id}`, { agent, headers, signal }, (response) => {
        text(response)
          .then((body) => {
            const page = pageOf(response, body)
            const lasts = page.status === 200 && response.headers['cache-control'] === lasting
            resolve({ page, lasts })
          })
          .catch(reject)
      })
      request.once('error', reject)
    })

  return {
    read: (id, requestId) =>
      cache.resolve(id, async () => {
        const { page, lasts } = await fetchPage(id, requestId)
        return { value: page, ttlMs: lasts ? shareCacheMs : 0 }
      }),
    forget: (id) => cache.forget([id]),
    forgetAll: cache.forgetAll,
  }
}

/** `GET /s/{id}` from the cache. On any failure, the proxy serves the page. */
export function fastSharePage(pages: SharePages, parts: AdmitDependencies): FastRoute {
  const sendWhole = createSendWhole()
  return {
    prefix: '/s/',
    route: 'web',
    read(id) {
      if (!isId(id)) return null
      return async (context) => {
        await admitToPage(parts, context)
        const page = await pages.read(id, context.requestId).catch(() => null)
        if (page === null) return false
        const { headerLines, body } = page.copy()
        const fixed = headerLines + ownHeaders(context)
        const coding = page.isCompressible ? acceptedCoding(context.request.headers['accept-encoding']) : null
        if (coding === null) {
          const lines = fixed + headerLine('Content-Length', Buffer.byteLength(body))
          sendWhole(context.response, page.status, lines, body, 'utf8')
          return true
        }
        const bytes = await encode(Buffer.from(body), coding, 'once')
        const lines =
          fixed + headerLine('Content-Encoding', coding) + headerLine('Content-Length', bytes.length)
        sendWhole(context.response, page.status, lines, bytes.toString('latin1'), 'latin1')
        return true
      }
    },
  }
}
