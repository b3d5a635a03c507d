import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { fromFailure } from '#libs/grpc/status.js'
import { coalesce } from '#libs/runtime/coalesce.js'
import { telemetry } from '#libs/telemetry/telemetry.js'
import type {
  GetSnippetRequest,
  Snippet,
  SnippetResult,
  SnippetServiceClient,
} from '#proto/snipkeep/content/v1/snippet_service.js'

/**
 * Reads a snippet from content.
 * @throws DomainError as content's `GetSnippet` does.
 */
export type ReadSnippet = (request: GetSnippetRequest, context: CallContext) => Promise<Snippet>

/** With data of 64 KiB each, the answer to 32 is 2 MiB; gRPC takes no message above 4. */
const gathering = { most: 32, underWayMax: 2, patienceMs: 5 }

function settledOf({ result }: SnippetResult): PromiseSettledResult<Snippet> {
  if (result?.$case === 'snippet') return { status: 'fulfilled', value: result.value }
  const reason = result === undefined ? new Error('content gave no result') : fromFailure(result.value)
  return { status: 'rejected', reason }
}

/**
 * Reads of one turn of the event loop travel together. While requests are traced each goes by itself, so that each has
 * its own span.
 */
export function createReadSnippet(client: SnippetServiceClient): ReadSnippet {
  const readAlone: ReadSnippet = async (request, context) => {
    const { snippet } = await callUnary(client, client.getSnippet, request, context)
    if (snippet === undefined) throw new Error('content answered without a snippet')
    return snippet
  }

  type Read = { readonly request: GetSnippetRequest; readonly context: CallContext }
  const readTogether = coalesce<Read, Snippet>(gathering, async ([first, ...rest]) => {
    if (rest.length === 0) {
      return [{ status: 'fulfilled', value: await readAlone(first.request, first.context) }]
    }
    const reads = [first, ...rest]
    const batch = {
      requests: reads.map(({ request }) => request),
      requestIds: reads.map(({ context }) => context.requestId),
    }
    const { results } = await callUnary(client, client.batchGetSnippets, batch, first.context)
    return results.map(settledOf)
  })

  return (request, context) =>
    telemetry.traces === null ? readTogether({ request, context }) : readAlone(request, context)
}
