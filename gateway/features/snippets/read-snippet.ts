import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { fromFailure } from '#libs/grpc/status.js'
import { batchReads } from '#libs/runtime/coalesce.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type {
  GetSnippetRequest,
  Snippet,
  SnippetResult,
  SnippetServiceClient,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import { detachedData } from '../detached-data.js'
import { createSnippetCache } from './snippet-cache.js'
import { snippetText } from './snippet-response.js'

export interface ReadSnippetResult {
  readonly snippet: Snippet
  /** The whole body with one character per byte; `null` if its data is large. */
  readonly text: string | null
}

/**
 * @throws DomainError as content's `GetSnippet`.
 */
export type ReadSnippet = (
  request: Omit<GetSnippetRequest, 'knownEtag'>,
  context: CallContext,
) => Promise<ReadSnippetResult>

function settledOf({ result }: SnippetResult): PromiseSettledResult<Snippet | null> {
  if (result?.$case === 'snippet') return { status: 'fulfilled', value: result.value }
  if (result?.$case === 'unchanged') return { status: 'fulfilled', value: null }
  const reason = result === undefined ? new Error('content returned no result') : fromFailure(result.value)
  return { status: 'rejected', reason }
}

interface SnippetRead {
  readonly request: GetSnippetRequest
  readonly context: CallContext
}

/** Loads a snippet; `null` if the copy with the known ETag is current. */
function createLoadSnippet(client: SnippetServiceClient): (read: SnippetRead) => Promise<Snippet | null> {
  return batchReads<SnippetRead, Snippet | null>(
    async ({ request, context }) => {
      const { snippet, unchanged } = await callUnary(client, client.getSnippet, request, context)
      if (snippet === undefined && !unchanged) throw new Error('content returned no snippet')
      return snippet ?? null
    },
    async (reads) => {
      const batch = {
        requests: reads.map(({ request }) => request),
        requestIds: reads.map(({ context }) => context.requestId),
      }
      const { results } = await callUnary(client, client.batchGetSnippets, batch, reads[0].context)
      return results.map(settledOf)
    },
  )
}

/** Small snippets come from the cache if content confirms their ETags. */
export function createReadSnippet(client: SnippetServiceClient): ReadSnippet {
  const cache = createSnippetCache()
  const unchanged = metrics.snippetCacheLookups.series('unchanged')
  const changed = metrics.snippetCacheLookups.series('changed')
  const unknown = metrics.snippetCacheLookups.series('unknown')
  const load = createLoadSnippet(client)
  return async ({ ownerId, id, includeData }, context) => {
    const key = `${ownerId}/${id}`
    const known = includeData ? cache.get(key) : undefined
    const knownEtag = known?.snippet.etag ?? ''
    const snippet = await load({ request: { ownerId, id, includeData, knownEtag }, context })
    if (snippet === null) {
      if (known === undefined) throw new Error('content reported an unknown snippet as unchanged')
      unchanged.inc()
      return known
    }
    const text = snippetText(snippet)
    if (text !== null) {
      const lookup = known === undefined ? unknown : changed
      lookup.inc()
      cache.set(key, { snippet: { ...snippet, data: detachedData(snippet.data) }, text })
    }
    return { snippet, text }
  }
}
