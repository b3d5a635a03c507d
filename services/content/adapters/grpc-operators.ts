import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type OperatorServiceServer,
  OperatorServiceService,
  type ShareRecord,
} from '#proto/snipkeep/content/v1/operator_service.js'
import { decisionOf, queueMessage } from '#shared/operator/audit-messages.js'
import { dataDeletedAt, type ModeratedShare, stateOf } from '../domain/moderated-share.js'
import { shareNotFound } from '../domain/share.js'
import type { ContentPorts } from '../ports.js'
import { gateMessage, ownerOf, shareOf } from './grpc-messages.js'

function shareRecord(found: ModeratedShare | null): ShareRecord {
  if (found === null) throw shareNotFound()
  const { share, hasData, ownerSuspended, views, openReports } = found
  const { id, ownerId, tool, title, digest, createdAt, expiresAt, disabledAt } = share
  return {
    ...{ id, ownerId, tool, title, createdAt, hasData, ownerSuspended, views, openReports },
    sizeBytes: digest.sizeBytes,
    expiresAt: expiresAt ?? undefined,
    state: stateOf(found),
    disabledAt: disabledAt ?? undefined,
    dataDeletedAt: dataDeletedAt(found) ?? undefined,
    gate: gateMessage(share.gate, true),
  }
}

/**
 * `OperatorService` over gRPC.
 * @param onRecord something was recorded for the audit log.
 */
export function grpcOperators(
  { unary }: Pick<Handlers, 'unary'>,
  { moderation }: Pick<ContentPorts, 'moderation'>,
  onRecord: () => void,
): BoundService {
  const handlers: OperatorServiceServer = {
    getShareRecord: unary(async ({ id }) => ({ share: shareRecord(await moderation.find(shareOf(id))) })),
    setShareDisabled: unary(async ({ id, disabled, decision }) => {
      const changed = await moderation.setDisabled(shareOf(id), disabled, decisionOf(decision))
      onRecord()
      return { share: shareRecord(changed) }
    }),
    setOwnerSuspended: unary(async ({ ownerId, suspended, version }) => {
      await moderation.setSuspended(ownerOf(ownerId), suspended, version)
      return {}
    }),
    // Identity lists what all services recorded; a gateway of the release before still asks here, too.
    listActs: unary(async () => ({ acts: [], nextCursor: '' })),
    listQueues: unary(async () => ({ queues: (await moderation.queues()).map(queueMessage) })),
  }
  return { definition: OperatorServiceService, handlers, callers: { each: ['gateway'] } }
}
