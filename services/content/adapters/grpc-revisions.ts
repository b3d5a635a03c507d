import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { decodeCursor, encodeCursor, invalidCursor } from '#libs/paging/cursor.js'
import { itemsMax } from '#libs/paging/list-position.js'
import {
  type RevisionServiceServer,
  RevisionServiceService,
} from '#proto/snipkeep/content/v1/revision_service.js'
import { givenIdempotencyKey } from '#shared/core/idempotency-key.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { getRevision, listRevisions, restoreRevision } from '../application/revisions.js'
import type { ContentPorts } from '../ports.js'
import { keyOf, principalOf, requesterOf, revisionMessage, snippetMessage } from './grpc-messages.js'

/**
 * The version to continue before; `null` for the first page.
 * @throws DomainError `invalid_cursor`.
 */
function versionOf(cursor: string): number | null {
  if (cursor === '') return null
  const [version = ''] = decodeCursor(cursor, 1)
  if (!/^[1-9][0-9]{0,8}$/.test(version)) throw invalidCursor()
  return Number(version)
}

/** `RevisionService` over gRPC. */
export function grpcRevisions(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: RevisionServiceServer = {
    listRevisions: unary(async (request) => {
      const before = versionOf(request.cursor)
      const key = await keyOf(ports, request)
      const { items, next } = await listRevisions(ports, key, before, itemsMax(request.pageSize))
      const nextCursor = next === null ? '' : encodeCursor([String(next)])
      return { revisions: items.map((one) => revisionMessage(one)), nextCursor }
    }),
    getRevision: unary(async (request) => {
      const key = await keyOf(ports, request)
      const { record, data } = await getRevision(ports, key, request.version, request.includeData)
      return { revision: revisionMessage(record, data) }
    }),
    restoreRevision: unary(async (request) => {
      const { result, replayed } = await restoreRevision(ports, {
        ...requesterOf(request, plans),
        ...(await keyOf(ports, request)),
        version: request.version,
        principal: principalOf(request.principal),
        ifMatch: request.ifMatch,
        mayApprove: request.mayApprove === true,
        idempotencyKey: givenIdempotencyKey(request.idempotencyKey),
      })
      return { snippet: snippetMessage(result), replayed }
    }),
  }
  return { definition: RevisionServiceService, handlers, callers: { each: ['gateway'] } }
}
