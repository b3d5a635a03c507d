import { enumName } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { cursorOf, itemsMax, positionOf } from '#libs/paging/list-position.js'
import {
  type Report as ReportMessage,
  type ReportServiceServer,
  ReportServiceService,
  ReportState,
} from '#proto/snipkeep/content/v1/report_service.js'
import { decisionOf } from '#shared/operator/audit-messages.js'
import { reportShare } from '../application/report-share.js'
import { isId, shareId } from '../domain/ids.js'
import { type Report, type ReportFilter, reportId, reportNotFound, reportReason } from '../domain/report.js'
import type { ContentPorts } from '../ports.js'
import { shareOf } from './grpc-messages.js'

function reportMessage(report: Report): ReportMessage {
  const { id, shareId: share, reason, message, email, createdAt, updatedAt, times, resolvedAt, note } = report
  return {
    ...{ id, shareId: share, reason, message, email, createdAt, updatedAt, times, note },
    resolvedAt: resolvedAt ?? undefined,
    ownerId: report.ownerId,
    shareTitle: report.shareTitle,
    shareState: report.shareState,
  }
}

const stateName = enumName<ReportFilter['state']>(
  {
    [ReportState.REPORT_STATE_OPEN]: 'open',
    [ReportState.REPORT_STATE_RESOLVED]: 'resolved',
    [ReportState.REPORT_STATE_ALL]: 'all',
  },
  '/state',
  'required',
  'state must be open, resolved or all.',
)

/**
 * `ReportService` over gRPC.
 * @param onRecord something was recorded for the audit log.
 */
export function grpcReports(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  onRecord: () => void,
): BoundService {
  const handlers: ReportServiceServer = {
    createReport: unary(async ({ shareId: share, reason, message, email, reporter }) => {
      await reportShare(ports, { shareId: shareOf(share), reason, message, email, reporter })
      return {}
    }),
    listReports: unary(async ({ state, reason, shareId: share, pageSize, cursor }) => {
      const { items, next } = await ports.reports.list({
        state: stateName(state),
        reason: reason === '' ? null : reportReason(reason),
        shareId: isId(share) ? shareId(share) : null,
        after: positionOf(cursor),
        itemsMax: itemsMax(pageSize),
      })
      return { reports: items.map(reportMessage), nextCursor: cursorOf(next) }
    }),
    resolveReport: unary(async ({ id, decision }) => {
      const report = await ports.reports.resolve(reportId(id), decisionOf(decision))
      if (report === null) throw reportNotFound()
      onRecord()
      return { report: reportMessage(report) }
    }),
  }
  return { definition: ReportServiceService, handlers, callers: { each: ['gateway'] } }
}
