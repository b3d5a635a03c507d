import { DomainError } from '#libs/core/domain-error.js'
import { noStore, type PageResponse } from './page-response.js'
import type { LivePage } from './pages/page.js'
import type { SharePageParts } from './pages/share-page.js'
import { shownBytesMax } from './pages/shown-data.js'
import { expiredPage, notFoundPage, unavailablePage } from './pages/status-pages.js'
import type { SharePreview, ShareReader } from './share-reader.js'
import type { Site } from './site.js'

/** The maximum age of a cached share page, in seconds. */
const cacheSecondsMax = 60
/**
 * The timeout of each of a page's two reads, in milliseconds; together they stay below the gateway's own
 * timeout.
 */
const readTimeoutMs = 4_000
/** Enough to see whether the last shown character is complete. */
const headBytesMax = shownBytesMax + 4

/** Not cacheable by others: a nonce in a shared cache would no longer be secret. */
function cacheControl(timeLeftMs: number | null): string {
  const seconds = Math.min(cacheSecondsMax, Math.floor((timeLeftMs ?? Number.POSITIVE_INFINITY) / 1_000))
  return seconds > 0 ? `private, max-age=${seconds}` : 'no-store'
}

/** The page for an expected failure; `null` for failures that reading a share cannot have. */
function refusal(error: DomainError, now: Date, site: Site): PageResponse | null {
  switch (error.kind) {
    case 'gone': {
      const { title, expired_at: expiredAt } = error.details
      const body = expiredPage(
        site,
        typeof title === 'string' ? title : null,
        new Date(String(expiredAt)),
        now,
      )
      return { status: 410, body, headers: noStore }
    }
    case 'not-found':
      return { status: 404, body: notFoundPage(site), headers: noStore }
    case 'unavailable':
    case 'timeout':
      return { status: 503, body: unavailablePage(site), headers: { ...noStore, 'Retry-After': '2' } }
    default:
      return null
  }
}

/** The requested share, and what its page's script needs. */
export interface ShareRequest {
  readonly id: string
  readonly requestId: string
  readonly now: Date
  readonly site: Site
  readonly live: LivePage
  /** The headers that allow what `live` loads. */
  readonly liveHeaders: Readonly<Record<string, string>>
  readonly pageOf: (share: SharePreview, parts: SharePageParts) => Buffer
}

/** The page of a share, or the one that says why there is none. */
export async function shareResponse(
  shares: ShareReader,
  { id, requestId, now, site, live, liveHeaders, pageOf }: ShareRequest,
): Promise<PageResponse> {
  try {
    const share = await shares.read(id, headBytesMax, { requestId, timeoutMs: readTimeoutMs })
    const headers = { ...liveHeaders, 'Cache-Control': cacheControl(share.timeLeftMs) }
    return { status: 200, body: pageOf(share, { now, live, site }), headers }
  } catch (error) {
    const page = error instanceof DomainError ? refusal(error, now, site) : null
    if (page === null) throw error
    return page
  }
}
