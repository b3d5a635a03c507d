import { DomainError } from '#libs/core/domain-error.js'
import { randomBase62 } from '#libs/runtime/random-id.js'
import { accessGrantLength } from '#shared/core/access-grant.js'
import { comparePage } from './pages/compare-page.js'
import { gatePage } from './pages/gate-page.js'
import { formSecurityPolicy, type LivePage, noStore, type PageResponse } from './pages/page.js'
import { reportPage } from './pages/report-page.js'
import { type SharePageParts, sharePage } from './pages/share-page.js'
import { shownBytesMax } from './pages/shown-data.js'
import {
  disabledPage,
  expiredPage,
  noSharePage,
  notAlonePage,
  unavailablePage,
  usedUpPage,
} from './pages/status-pages.js'
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
      if (error.code === 'share_disabled') return { status: 410, body: disabledPage(site), headers: noStore }
      if (error.code === 'share_used_up') return { status: 410, body: usedUpPage(site), headers: noStore }
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
      return { status: 404, body: noSharePage(site), headers: noStore }
    case 'unavailable':
    case 'timeout':
      return { status: 503, body: unavailablePage(site), headers: { ...noStore, 'Retry-After': '2' } }
    default:
      return null
  }
}

/** A request for a page that shows something of shares. */
interface PageRequest {
  readonly id: string
  readonly requestId: string
  readonly now: Date
  readonly site: Site
  readonly live: LivePage
  /** The headers that allow what `live` loads. */
  readonly liveHeaders: Readonly<Record<string, string>>
}

async function orRefusal(
  { now, site }: Pick<PageRequest, 'now' | 'site'>,
  respond: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await respond()
  } catch (error) {
    const page = error instanceof DomainError ? refusal(error, now, site) : null
    if (page === null) throw error
    return page
  }
}

/** The page of a share, or the one that says why there is none. */
export function shareResponse(
  shares: ShareReader,
  request: PageRequest & { readonly pageOf: (share: SharePreview, parts: SharePageParts) => Buffer },
): Promise<PageResponse> {
  const { id, requestId, now, site, live, liveHeaders, pageOf } = request
  return orRefusal(request, async () => {
    const share = await shares.read(id, headBytesMax, { requestId, timeoutMs: readTimeoutMs })
    const headers = { ...liveHeaders, 'Cache-Control': cacheControl(share.timeLeftMs) }
    return { status: 200, body: pageOf(share, { now, live, site }), headers }
  })
}

/** The page where a share is reported, or the one that says why there is none. */
export function reportResponse(
  shares: ShareReader,
  request: Omit<PageRequest, 'live' | 'liveHeaders'> & {
    /** Of a gated share, empty for none; `null` for a share without a gate. */
    readonly grant: string | null
    readonly search: URLSearchParams
  },
): Promise<PageResponse> {
  const { id, grant, requestId, site, search } = request
  return orRefusal(request, async () => {
    const context = { requestId, timeoutMs: readTimeoutMs }
    const { title } =
      grant === null
        ? await shares.read(id, 1, context)
        : // Its title is not for everyone.
          { ...(await shares.readGated(id, grant, 1, context)), title: null }
    const outcome = { sent: search.has('sent'), problem: search.get('problem') }
    const policy = formSecurityPolicy([site.publicBaseUrl])
    const headers = { ...noStore, 'Content-Security-Policy': policy }
    return { status: 200, body: reportPage({ id, title }, site, outcome), headers }
  })
}

const statusOfError: Readonly<Record<string, number>> = { share_password_invalid: 403, rate_limited: 429 }

/** The page of a gated share for those with a grant, for others its form, or the page that says why it is gone. */
export function gatedResponse(
  shares: ShareReader,
  request: PageRequest & {
    /** Empty for none. */
    readonly grant: string
    /** The code of the error with which the form was refused; empty for none. */
    readonly error: string
  },
): Promise<PageResponse> {
  const { id, grant, error, requestId, now, site, live, liveHeaders } = request
  return orRefusal(request, async () => {
    const context = { requestId, timeoutMs: readTimeoutMs }
    const found = await shares.readGated(id, grant, headBytesMax, context)
    if (found.open) {
      const body = sharePage(found.share, { now, live, site, gate: found.gate })
      return { status: 200, body, headers: { ...liveHeaders, ...noStore } }
    }
    const status = error === '' ? 200 : (statusOfError[error] ?? 503)
    const headers = { ...noStore, 'Content-Security-Policy': formSecurityPolicy([]) }
    const attempt = randomBase62(accessGrantLength)
    return { status, body: gatePage(id, found.gate, { error, attempt }, site), headers }
  })
}

/** Instead of a gated share where it would be shown without its gate: embedded, or compared. */
export function notAloneResponse(site: Site, id: string): PageResponse {
  return { status: 403, body: notAlonePage(site, id), headers: noStore }
}

/** The page that compares two shares, or the one that says why one of them is not there. */
export function compareResponse(
  shares: ShareReader,
  request: PageRequest & {
    /** `null` while it is still to be chosen. */
    readonly other: string | null
  },
): Promise<PageResponse> {
  const { id, other, requestId, site, live, liveHeaders } = request
  return orRefusal(request, async () => {
    // What they hold is fetched by the script alone.
    const read = (id: string): Promise<SharePreview> =>
      shares.read(id, 1, { requestId, timeoutMs: readTimeoutMs })
    const [a, b] = await Promise.all([read(id), other === null ? null : read(other)])
    const lefts = [a, b].map((share) => share?.timeLeftMs ?? Number.POSITIVE_INFINITY)
    const headers = { ...liveHeaders, 'Cache-Control': cacheControl(Math.min(...lefts)) }
    return { status: 200, body: comparePage(a, b, { live, site }), headers }
  })
}
