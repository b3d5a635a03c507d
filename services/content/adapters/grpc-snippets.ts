import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type GetSnippetRequest,
  type ListSnippetsRequest,
  type SnippetServiceServer,
  SnippetServiceService,
} from '#proto/snipkeep/content/v1/snippet_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { checkSnippetQuota, createSnippet } from '../application/create-snippet.js'
import { type ConditionalRead, getSnippets } from '../application/get-snippets.js'
import { listSnippets } from '../application/list-snippets.js'
import { putSnippet } from '../application/put-snippet.js'
import { deleteSnippet, updateSnippet } from '../application/update-snippet.js'
import { checkFields } from '../domain/snippet.js'
import { type SnippetFilter, wantedWords } from '../domain/snippet-reads.js'
import type { ContentPorts } from '../ports.js'
import {
  idOf,
  idsOf,
  listedSnippet,
  newData,
  ownerOf,
  principalOf,
  requesterOf,
  requiredData,
  snippetMessage,
  snippetOf,
} from './grpc-messages.js'

function filterOf(request: ListSnippetsRequest): SnippetFilter {
  const tool = request.tool === '' ? null : request.tool
  checkFields({ tool: tool ?? undefined, tags: request.tags })
  return {
    ownerId: ownerOf(request.ownerId),
    tool,
    tags: request.tags,
    words: wantedWords(request.query),
    after: positionOf(request.cursor),
    itemsMax: itemsMax(request.pageSize),
    includeData: request.includeData,
    dataBytesMax: request.dataBytesMax,
  }
}

async function readsOf(
  ports: Pick<ContentPorts, 'snippets'>,
  requests: readonly GetSnippetRequest[],
): Promise<readonly ConditionalRead[]> {
  const ids = await idsOf(ports, requests)
  return requests.map(({ ownerId, id, includeData, knownEtag }, index) => ({
    ownerId: ownerOf(ownerId),
    id: ids[index] ?? snippetOf(id),
    includeData,
    knownEtag,
  }))
}

/** `SnippetService` over gRPC. */
export function grpcSnippets(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: SnippetServiceServer = {
    checkSnippetQuota: unary(async (request) => {
      await checkSnippetQuota(ports, requesterOf(request, plans))
      return {}
    }),
    createSnippet: unary(async (request) => {
      const { result, replayed } = await createSnippet(ports, {
        ...requesterOf(request, plans),
        name: request.name === '' ? null : request.name,
        tool: request.tool,
        title: request.title,
        tags: request.tags,
        data: requiredData(request.data),
        principal: principalOf(request.principal),
        idempotencyKey: givenIdempotencyKey(request.idempotencyKey),
        titleIsGenerated: request.titleIsGenerated,
        mayApprove: request.mayApprove === true,
      })
      return { snippet: snippetMessage(result), replayed }
    }),
    putSnippet: unary(async (request) => {
      const { snippet, created, changed } = await putSnippet(ports, {
        ...requesterOf(request, plans),
        target: request.id.startsWith('@') ? { name: request.id.slice(1) } : { id: snippetOf(request.id) },
        tool: request.tool,
        title: request.title,
        tags: request.tags,
        data: requiredData(request.data),
        principal: principalOf(request.principal),
        ifMatch: request.ifMatch,
        ifNoneMatch: request.ifNoneMatch,
        mayApprove: request.mayApprove === true,
      })
      return { snippet: snippetMessage(snippet), created, changed }
    }),
    getSnippet: unary(async (request) => {
      const [read] = await getSnippets(ports, await readsOf(ports, [request]))
      if (read?.status !== 'fulfilled') throw read?.reason
      if (read.value === null) return { snippet: undefined, unchanged: true }
      return { snippet: snippetMessage(read.value.record, read.value.data), unchanged: false }
    }),
    batchGetSnippets: unary(async ({ requests, requestIds }, context) => {
      const results = await getSnippets(ports, await readsOf(ports, requests))
      return {
        results: results.map((one, index) => {
          if (one.status === 'rejected') {
            const failure = context.failureOf(one.reason, requestIds[index] ?? '')
            return { result: { $case: 'failure', value: failure } }
          }
          if (one.value === null) return { result: { $case: 'unchanged', value: true } }
          return { result: { $case: 'snippet', value: snippetMessage(one.value.record, one.value.data) } }
        }),
      }
    }),
    listSnippets: unary(async (request) => {
      const { page, etag } = await listSnippets(ports, filterOf(request), request.knownEtag)
      if (page === null) return { snippets: [], nextCursor: '', etag, unchanged: true }
      const snippets = page.items.map(({ record, data }) => listedSnippet(record, data))
      return { snippets, nextCursor: cursorOf(page.next), etag, unchanged: false }
    }),
    updateSnippet: unary(async (request) => {
      const snippet = await updateSnippet(ports, {
        ...requesterOf(request, plans),
        id: await idOf(ports, request),
        name: request.name === '' ? null : request.name,
        tool: request.tool,
        title: request.title,
        tags: request.tags?.tags,
        data: newData(request.data),
        principal: principalOf(request.principal),
        ifMatch: request.ifMatch,
        mayApprove: request.mayApprove === true,
      })
      return { snippet: snippetMessage(snippet) }
    }),
    deleteSnippet: unary(async (request) => {
      const id = await idOf(ports, request)
      const mayApprove = request.mayApprove === true
      await deleteSnippet(ports, ownerOf(request.ownerId), id, request.ifMatch, mayApprove)
      return { id }
    }),
  }
  return { definition: SnippetServiceService, handlers, callers: { each: ['gateway'] } }
}
