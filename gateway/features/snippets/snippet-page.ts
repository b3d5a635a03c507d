import { callUnary } from '#libs/grpc/call.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type {
  ListSnippetsRequest,
  ListSnippetsResponse,
  Snippet,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import { documentCall, type RequestContext, shortCall } from '../../http/request-context.js'
import type { Headers } from '../../http/responses.js'
import { atHand, type Part, sendBytes, sendByteText } from '../../http/send-bytes.js'
import { type DocumentRequest, dataPart } from '../../http/stored-data.js'
import { accountReader } from '../../rate-limits/document-reader.js'
import type { Upstreams } from '../../upstreams.js'
import type { RouteParts } from '../feature-dependencies.js'
import { type CachedPage, createPageCache } from './page-cache.js'
import { snippetEnvelope, snippetSummary } from './snippet-response.js'

/** A page ends with the item by which its data exceeds this many bytes. */
export const pageDataBytesMax = 8 * 1024 * 1024

type PageRequest = Omit<ListSnippetsRequest, 'dataBytesMax' | 'knownEtag'>

/** A page of snippets, ready to be sent. */
interface SnippetPage {
  readonly snippets: readonly Snippet[]
  readonly nextCursor: string | null
  /** Empty if the page took several calls, each with its own ETag. */
  readonly etag: string
}

/**
 * Reads one page; `null` if the copy with the known ETag is current. Content limits the size of its messages, so a
 * page may take several; only the small documents of the page are held here, at most 8 MiB; large ones follow when
 * the page is sent.
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

/** The response for a page, including the data of its snippets if wanted. */
function partsOf(
  reads: RouteParts['documentReads'],
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

/** Responds with pages of snippets. */
export interface SnippetPages {
  /** Sends one page, whose headers may depend on the next cursor. */
  send(
    context: RequestContext,
    request: PageRequest,
    headersFor: (nextCursor: string | null) => Headers,
  ): Promise<void>
}

/**
 * Pages of snippets; the large documents of each are streamed one after another. A short page comes from the cache if
 * content confirms that it has not changed, which costs a tenth of reading and writing it again.
 */
export function createSnippetPages({
  upstreams,
  documentReads,
}: Pick<RouteParts, 'upstreams' | 'documentReads'>): SnippetPages {
  const cache = createPageCache()
  const unchanged = metrics.pageMemoryLookups.series('unchanged')
  const changed = metrics.pageMemoryLookups.series('changed')
  const unknown = metrics.pageMemoryLookups.series('unknown')

  const sendNew = async (
    context: RequestContext,
    { includeData, ownerId }: PageRequest,
    page: SnippetPage,
    headers: Headers,
  ): Promise<CachedPage | null> => {
    const reader = accountReader({ accountId: ownerId })
    const request = { context: documentCall(context), reader, hasSlot: true }
    const { parts, length } = partsOf(documentReads, request, page, includeData)
    const text = atHand(parts)
    if (text === null) {
      // One slot for the whole page, so that none of its documents is rejected once it has begun.
      const large = page.snippets.some(({ data }) => data?.$case === 'documentId')
      const release = large ? await documentReads.readers.take(reader, context.signal) : null
      try {
        await sendBytes(context.response, { ...headers, 'Content-Length': length }, parts)
      } finally {
        release?.()
      }
      return null
    }
    sendByteText(context.response, { ...headers, 'Content-Length': length }, text)
    const { etag, nextCursor } = page
    // Content of the previous release sends no ETag.
    return etag === '' ? null : { etag, text, nextCursor }
  }

  return {
    async send(context, request, headersFor) {
      const headers = (nextCursor: string | null): Headers => ({
        'Content-Type': 'application/json; charset=utf-8',
        ...headersFor(nextCursor),
      })
      const key = JSON.stringify(request)
      // A search costs more than its result, and would be made twice if that has changed.
      const known = request.tags.length === 0 && request.query === '' ? cache.get(key) : undefined
      const page = await readPage(upstreams, context, request, known?.etag ?? '')
      if (page !== null) {
        const lookup = known === undefined ? unknown : changed
        lookup.inc()
        const sent = await sendNew(context, request, page, headers(page.nextCursor))
        if (sent !== null) cache.set(key, sent)
        return
      }
      if (known === undefined) throw new Error('content reported an unknown page as unchanged')
      unchanged.inc()
      const { text, nextCursor } = known
      sendByteText(context.response, { ...headers(nextCursor), 'Content-Length': text.length }, text)
    },
  }
}
