import { callUnary } from '#libs/grpc/call.js'
import { shareLoads } from '#libs/runtime/share-loads.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type {
  ListSnippetsRequest,
  ListSnippetsResponse,
  Snippet,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import { type DocumentRequest, dataPart } from '../../data/stored-data.js'
import type { Headers } from '../../http/responses.js'
import { type Part, sendBytes, sendByteText, shortTextOf } from '../../http/send-bytes.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { documentCall, type RequestContext, shortCall } from '../../request/request-context.js'
import type { Upstreams } from '../../upstreams.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { type CachedPage, createPageCache, etagToCompare, nextCached } from './page-cache.js'
import { snippetEnvelope, snippetSummary } from './snippet-response.js'

/** A page ends with the item that takes its data beyond this many bytes. */
const pageDataBytesMax = 8 * 1024 * 1024

type PageRequest = Omit<ListSnippetsRequest, 'dataBytesMax' | 'knownEtag'>

interface SnippetPage {
  readonly snippets: readonly Snippet[]
  readonly nextCursor: string | null
  /** Empty if the page took several calls, since each has its own ETag. */
  readonly etag: string
}

/**
 * Reads one page; `null` if the copy with the known ETag is current. Content limits the size of its messages, so a page
 * may take several calls. Only small data is held here, at most 8 MiB; documents are streamed when the page is sent.
 */
async function readPage(
  { snippets: client }: Upstreams,
  context: RequestContext,
  request: PageRequest,
  knownEtag: string,
): Promise<SnippetPage | null> {
  const snippets: Snippet[] = []
  let dataBytes = 0
  let { cursor } = request
  let first: ListSnippetsResponse | undefined
  for (;;) {
    const response = await callUnary(
      client,
      client.listSnippets,
      {
        ...request,
        cursor,
        pageSize: request.pageSize - snippets.length,
        dataBytesMax: request.includeData ? pageDataBytesMax - dataBytes : Number.MAX_SAFE_INTEGER,
        knownEtag: first === undefined ? knownEtag : '',
      },
      shortCall(context),
    )
    if (response.unchanged) return null
    snippets.push(...response.snippets)
    cursor = response.nextCursor
    if (request.includeData) dataBytes = snippets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    const full = snippets.length >= request.pageSize || dataBytes > pageDataBytesMax
    const etag = first === undefined ? response.etag : ''
    if (cursor === '' || full) return { snippets, nextCursor: cursor === '' ? null : cursor, etag }
    first = response
  }
}

/** The body of a page. */
function partsOf(
  reads: FeatureDependencies['documentReads'],
  request: DocumentRequest,
  { snippets, nextCursor }: SnippetPage,
  includeData: boolean,
): { readonly parts: readonly Part[]; readonly length: number } {
  const parts: Part[] = []
  let length = 0
  const add = (part: Part, size: number): void => {
    parts.push(part)
    length += size
  }
  const addText = (text: string): void => add(Buffer.from(text), Buffer.byteLength(text))
  addText('{"snippets":[')
  for (const [index, snippet] of snippets.entries()) {
    if (index > 0) addText(',')
    if (!includeData) {
      addText(JSON.stringify(snippetSummary(snippet)))
      continue
    }
    const [before, after] = snippetEnvelope(snippet)
    add(before, before.length)
    add(dataPart(reads, snippet.data, request), snippet.sizeBytes)
    add(after, after.length)
  }
  addText(`],"next_cursor":${JSON.stringify(nextCursor)}}`)
  return { parts, length }
}

/** A page to be sent, as text if it is short, and what it counts as in metrics. */
interface LoadedPage {
  readonly short: Omit<CachedPage, 'hadChanged'> | null
  readonly page: SnippetPage | null
  readonly lookup: { inc(): void }
}

/** A page of one that hangs is read again for those who came later. */
const sharedWaitMsMax = 100

/**
 * Streams the documents of a page one after another. A short page comes from the cache if content confirms its ETag,
 * which costs a tenth of reading and writing it again. Concurrent requests
 * for one page share a read, unless they are traced: then each has its own span.
 */
export function createSnippetPages({
  upstreams,
  documentReads,
}: Pick<FeatureDependencies, 'upstreams' | 'documentReads'>) {
  const cache = createPageCache()
  const unchanged = metrics.pageCacheLookups.series('unchanged')
  const changed = metrics.pageCacheLookups.series('changed')
  const unknown = metrics.pageCacheLookups.series('unknown')
  const share = shareLoads<LoadedPage>(sharedWaitMsMax)

  const partsFor = (context: RequestContext, request: PageRequest, page: SnippetPage) => {
    const reader = accountReader({ accountId: request.ownerId })
    const document = { context: documentCall(context), reader, hasSlot: true }
    return { reader, ...partsOf(documentReads, document, page, request.includeData) }
  }

  const load = async (context: RequestContext, key: string, request: PageRequest): Promise<LoadedPage> => {
    // Not for searches: finding the result costs most, and would be done twice if it has changed.
    const known = request.tags.length === 0 && request.query === '' ? cache.get(key) : undefined
    const page = await readPage(upstreams, context, request, etagToCompare(known))
    if (page === null || page.etag === known?.etag) {
      if (known === undefined) throw new Error('content reported an unknown page as unchanged')
      if (known.hadChanged) cache.set(key, nextCached(known, known))
      return { short: known, page, lookup: unchanged }
    }
    const lookup = known === undefined ? unknown : changed
    const text = shortTextOf(partsFor(context, request, page).parts)
    if (text === null) return { short: null, page, lookup }
    const { etag, nextCursor } = page
    const short = { etag, text, nextCursor }
    cache.set(key, nextCached(known, short))
    return { short, page, lookup }
  }

  /** Sends a page that is not short, or has documents. */
  const sendLong = async (
    context: RequestContext,
    request: PageRequest,
    page: SnippetPage,
    headers: Headers,
  ): Promise<void> => {
    const { reader, parts, length } = partsFor(context, request, page)
    // One slot for the whole page, so that none of its documents is rejected after it has begun.
    const large = page.snippets.some(({ data }) => data?.$case === 'documentId')
    const release = large ? await documentReads.readers.take(reader, context.signal) : null
    try {
      await sendBytes(context.response, { ...headers, 'Content-Length': length }, parts)
    } finally {
      release?.()
    }
  }

  return {
    /** Sends one page; its headers may depend on the next cursor. */
    async send(
      context: RequestContext,
      request: PageRequest,
      headersFor: (nextCursor: string | null) => Headers,
    ) {
      const headers = (nextCursor: string | null): Headers => ({
        'Content-Type': 'application/json; charset=utf-8',
        ...headersFor(nextCursor),
      })
      const key = JSON.stringify(request)
      const loadHere = (): Promise<LoadedPage> => load(context, key, request)
      const { short, page, lookup } = await (telemetry.traces === null ? share(key, loadHere) : loadHere())
      lookup.inc()
      if (short !== null) {
        const { text, nextCursor } = short
        sendByteText(context.response, { ...headers(nextCursor), 'Content-Length': text.length }, text)
      } else if (page !== null) await sendLong(context, request, page, headers(page.nextCursor))
    },
  }
}

export type SnippetPages = Readonly<ReturnType<typeof createSnippetPages>>
