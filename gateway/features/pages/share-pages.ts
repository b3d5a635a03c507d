import { randomBytes, randomUUID } from 'node:crypto'
import { Agent, get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createTtlCache, type Entry } from '#libs/cache/ttl-cache.js'
import { acceptedCoding, encode } from '#libs/runtime/content-coding.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { type PageLanguage, pageLanguageHeader } from '#shared/core/page-language.js'
import { pageNonceHeader } from '#shared/core/page-nonce.js'
import { createSendWhole, headerLine } from '../../http/node-internals/whole-response.js'
import type { FastRoute } from '../../http/operation.js'
import { languageOf } from '../../http/page-language.js'
import { ownHeaders } from '../../http/responses.js'
import { type AdmitDependencies, admitToPage } from '../../pipeline/admit.js'
import { isId, shortCall } from '../../request/request-context.js'
import type { LoadShare, ShareCache } from '../shares/share-cache.js'

/** A share page, or the page that explains why there is no share, as rendered by the web application. */
export interface SharePage {
  readonly status: number
  /** In bytes. */
  readonly length: number
  /** Whether copies may be compressed: the web application decides, and says so by `Vary`. */
  readonly isCompressible: boolean
  /** Returns a copy with a new nonce; each character of its body is one byte. */
  copy(): { readonly headerLines: string; readonly body: string }
}

/** A cache of share pages. */
export interface SharePages {
  /**
   * Returns a page whose share has not changed since, as far as the share cache knows.
   * @throws Error if the web application does not return one.
   */
  read(id: string, language: PageLanguage, requestId: string): Promise<SharePage>
}

const timeoutMs = 10_000
/** A page says how old its share is, and names files of the release that rendered it. */
const pageMs = 10_000
/** A page that expires sooner says so to browsers, and is not kept. */
const lastingMs = 60_000
const bytesMax = 32 * 1024 * 1024
/** The approximate memory of a page besides its text. */
const overheadBytes = 1_024
/** The `Cache-Control` of a page that does not expire within the next minute. */
const lasting = 'private, max-age=60'
/** Headers of the connection, and those that are set again. */
const renewedHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'content-length', 'date'])

/** Nonces of 128 random bits in Base64, drawn from the system for many at a time. */
function createNonces(): () => string {
  const bytes = 16
  let block = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === block.length) {
      block = randomBytes(256 * bytes)
      used = 0
    }
    used += bytes
    return block.toString('base64', used - bytes, used)
  }
}

function headerLinesOf({ rawHeaders }: IncomingMessage): string {
  let lines = ''
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!renewedHeaders.has(name.toLowerCase())) lines += headerLine(name, value)
  }
  return lines
}

/**
 * Keeps a page in each language that is read while the share has the same ETag, and renders one that is in use again in
 * the background, so that no reader waits for it. Does not keep a page that expires soon, or one that explains why there
 * is no share.
 * @param now a monotonic clock in milliseconds.
 */
export function createSharePages(
  webUrl: string,
  now: () => number,
  shares: Pick<ShareCache, 'resolveHead' | 'timeLeftMs'>,
  loadShare: LoadShare,
): SharePages {
  const nextNonce = createNonces()
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' })
  /** A secret placeholder, which each copy replaces by its own nonce. */
  const anyNonce = randomBytes(16).toString('hex')
  const cache = createTtlCache<SharePage>({
    now,
    sizeMax: bytesMax,
    sizeOf: ({ length }) => overheadBytes + length,
    renew: (key) => pageFor(key, randomUUID()),
    lookups: {
      hit: metrics.sharePageLookups.series('hit'),
      shared: metrics.sharePageLookups.series('shared'),
      miss: metrics.sharePageLookups.series('miss'),
    },
  })

  const pageOf = (response: IncomingMessage, body: Buffer): SharePage => {
    const status = response.statusCode ?? 500
    const parts = body.toString('latin1').split(anyNonce)
    // Web of the previous release ignores the placeholder, and its nonce must not be used twice.
    if (status === 200 && parts.length === 1) throw new Error('the page has its own nonce')
    const lines = headerLinesOf(response).split(anyNonce)
    return {
      status,
      length: body.length,
      isCompressible: /^Vary:.*\bAccept-Encoding\b/im.test(lines.join('')),
      copy() {
        const nonce = nextNonce()
        return { headerLines: lines.join(nonce), body: parts.join(nonce) }
      },
    }
  }

  const fetchPage = (
    id: string,
    language: string,
    requestId: string,
  ): Promise<{ page: SharePage; lasts: boolean }> =>
    new Promise((resolve, reject) => {
      const headers = {
        [pageNonceHeader]: anyNonce,
        [pageLanguageHeader]: language,
        'X-Request-Id': requestId,
      }
      const signal = AbortSignal.timeout(timeoutMs)
      const request = get(`${webUrl}/s/${id}`, { agent, headers, signal }, (response) => {
        buffer(response)
          .then((body) => {
            const page = pageOf(response, body)
            const lasts = page.status === 200 && response.headers['cache-control'] === lasting
            resolve({ page, lasts })
          })
          .catch(reject)
      })
      request.once('error', reject)
    })

  const pageFor = async (key: string, requestId: string): Promise<Entry<SharePage>> => {
    const [id = '', language = ''] = key.split(' ', 2)
    const { page, lasts } = await fetchPage(id, language, requestId)
    return { value: page, ttlMs: lasts ? pageMs : 0 }
  }

  /** The current ETag of a share that does not expire soon, or `null`. */
  const lastingTag = async (id: string, requestId: string): Promise<string | null> => {
    const load = () => loadShare({ id, includeData: false }, shortCall({ requestId }))
    const found = await shares.resolveHead(id, load).catch(() => null)
    if (found === null) return null
    const timeLeftMs = shares.timeLeftMs(found)
    return timeLeftMs === null || timeLeftMs > lastingMs ? found.share.etag : null
  }

  return {
    async read(id, language, requestId) {
      const tag = await lastingTag(id, requestId)
      const inLanguage = `${id} ${language}`
      // Not kept, but still shared by those who wait.
      if (tag === null)
        return cache.resolve(inLanguage, async () => ({
          value: (await fetchPage(id, language, requestId)).page,
          ttlMs: 0,
        }))
      const key = `${inLanguage} ${tag}`
      return cache.resolve(key, () => pageFor(key, requestId))
    },
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
        const page = await pages.read(id, languageOf(context.request), context.requestId).catch(() => null)
        if (page === null) return false
        const { headerLines, body } = page.copy()
        const fixed = headerLines + ownHeaders(context)
        const coding = page.isCompressible ? acceptedCoding(context.request.headers['accept-encoding']) : null
        if (coding === null) {
          const lines = fixed + headerLine('Content-Length', body.length)
          sendWhole(context.response, page.status, lines, body, 'latin1')
          return true
        }
        const bytes = await encode(Buffer.from(body, 'latin1'), coding, 'once')
        const lines =
          fixed + headerLine('Content-Encoding', coding) + headerLine('Content-Length', bytes.length)
        sendWhole(context.response, page.status, lines, bytes.toString('latin1'), 'latin1')
        return true
      }
    },
  }
}
