import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { fromFailure } from '#libs/grpc/status.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type {
  GetSnippetRequest,
  Snippet,
  SnippetResult,
  SnippetServiceClient,
} from '#proto/snipkeep/content/v1/snippet_service.js'
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

/** 32 snippets with 64 KiB of data each take 2 MiB, half of the largest message of gRPC. */
const batching = { maxBatchSize: 32, maxInFlight: 2, maxDelayMs: 5 }

interface Call {
  readonly request: GetSnippetRequest
  readonly context: CallContext
}

function settledOf({ result }: SnippetResult): PromiseSettledResult<Snippet | null> {
  if (result?.$case === 'snippet') return { status: 'fulfilled', value: result.value }
  if (result?.$case === 'unchanged') return { status: 'fulfilled', value: null }
  const reason = result === undefined ? new Error('content returned no result') : fromFailure(result.value)
  return { status: 'rejected', reason }
}

/** Returns `null` if the copy with the known ETag is current. */
type LoadSnippet = (call: Call) => Promise<Snippet | null>

/**
 * Batches the reads of one turn of the event loop. With tracing on, each read is sent alone, to get its own span.
 */
function createLoadSnippet(client: SnippetServiceClient): LoadSnippet {
  const loadAlone: LoadSnippet = async ({ request, context }) => {
    const { snippet, unchanged } = await callUnary(client, client.getSnippet, request, context)
    if (snippet === undefined && !unchanged) throw new Error('content returned no snippet')
    return snippet ?? null
  }
  const loadBatched = coalesce<Call, Snippet | null>(batching, async ([first, ...rest]) => {
    if (rest.length === 0) return [{ status: 'fulfilled', value: await loadAlone(first) }]
    const calls = [first, ...rest]
    const batch = {
      requests: calls.map(({ request }) => request),
      requestIds: calls.map(({ context }) => context.requestId),
    }
    const { results } = await callUnary(client, client.batchGetSnippets, batch, first.context)
    return results.map(settledOf)
  })
  return (call) => (telemetry.traces === null ? loadBatched(call) : loadAlone(call))
}

/** The snippet with its own copy of the bytes, so that a cached slice does not keep the whole batch in memory. */
function detached(snippet: Snippet): Snippet {
  if (snippet.data?.$case !== 'inline') return snippet
  const value = Buffer.from(new Uint8Array(snippet.data.value).buffer)
  return { ...snippet, data: { $case: 'inline', value } }
}

/** Small snippets come from the cache if content confirms their ETags. */
export function createReadSnippet(client: SnippetServiceClient): ReadSnippet {
  const cache = createSnippetCache()
  const unchanged = metrics.snippetMemoryLookups.series('unchanged')
  const changed = metrics.snippetMemoryLookups.series('changed')
  const unknown = metrics.snippetMemoryLookups.series('unknown')
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
      cache.set(key, { snippet: detached(snippet), text })
    }
    return { snippet, text }
  }
}
