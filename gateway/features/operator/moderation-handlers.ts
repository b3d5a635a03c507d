import { isDown } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { ReportState } from '#proto/snipkeep/content/v1/report_service.js'
import { parseQuery } from '../../body/parse-fields.js'
import { sendJson } from '../../http/responses.js'
import { nextPageLink, sendPage } from '../../http/send-page.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  type RequestContext,
  shareInPath,
  shortCall,
  sideCall,
} from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { receiveDecision } from './operator-decision.js'
import {
  auditEntryResponse,
  queueResponse,
  reportResponse,
  shareRecordResponse,
} from './operator-responses.js'
import * as schemas from './operator-schemas.js'

const reportState = {
  open: ReportState.REPORT_STATE_OPEN,
  resolved: ReportState.REPORT_STATE_RESOLVED,
  all: ReportState.REPORT_STATE_ALL,
} as const

/** A call whose service may be down without hiding what others say. */
async function orNull<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (isDown(error)) return null
    throw error
  }
}

/** What `moderationHandlers` need. */
export type ModerationDependencies = Pick<
  FeatureDependencies,
  | 'everyoneIsPro'
  | 'forgetShare'
  | 'operatorInEvents'
  | 'publicBaseUrl'
  | 'shareBaseUrl'
  | 'uploads'
  | 'upstreams'
>

/** The handlers of reports, shares, the audit log and queues in `/api/operator`. */
export function moderationHandlers(dependencies: ModerationDependencies) {
  const { upstreams, everyoneIsPro, publicBaseUrl, shareBaseUrl, forgetShare } = dependencies
  const { reports, operators } = upstreams
  const { accounts, shares, payments } = operators

  const setDisabled = async (context: RequestContext, caller: Caller, disabled: boolean): Promise<void> => {
    const id = shareInPath(context)
    const { decision } = await receiveDecision(dependencies, context, caller, schemas.decision)
    const request = { id, disabled, decision }
    const { share } = await callUnary(shares, shares.setShareDisabled, request, shortCall(context))
    await forgetShare(id)
    sendJson(context.response, 200, shareRecordResponse(share, shareBaseUrl))
  }

  return {
    async listReports(context: RequestContext): Promise<void> {
      const query = parseQuery(schemas.reportListQuery, context.search)
      const { state, reason = '', share = '', limit, cursor = '' } = query
      const request = { state: reportState[state], reason, shareId: share, pageSize: limit, cursor }
      const found = await callUnary(reports, reports.listReports, request, shortCall(context))
      const next = found.nextCursor === '' ? null : found.nextCursor
      const link = nextPageLink(publicBaseUrl, '/api/operator/reports', context, next)
      const shown = found.reports.map((report) => reportResponse(report, shareBaseUrl))
      sendPage(context, 'reports', shown, next, link)
    },

    async resolveReport(context: RequestContext, caller: Caller): Promise<void> {
      const { id = '' } = context.params
      if (!/^[0-9A-Za-z]{1,64}$/.test(id)) throw notFound('This report')
      const { decision } = await receiveDecision(dependencies, context, caller, schemas.note)
      const { report } = await callUnary(reports, reports.resolveReport, { id, decision }, shortCall(context))
      sendJson(context.response, 200, reportResponse(report, shareBaseUrl))
    },

    async getShare(context: RequestContext): Promise<void> {
      const request = { id: shareInPath(context) }
      const { share } = await callUnary(shares, shares.getShareRecord, request, shortCall(context))
      sendJson(context.response, 200, shareRecordResponse(share, shareBaseUrl))
    },

    disable: (context: RequestContext, caller: Caller) => setDisabled(context, caller, true),
    enable: (context: RequestContext, caller: Caller) => setDisabled(context, caller, false),

    async auditLog(context: RequestContext): Promise<void> {
      const {
        account = '',
        subject = '',
        limit,
        cursor = '',
      } = parseQuery(schemas.auditLogQuery, context.search)
      const request = { accountId: account, subjectId: subject, pageSize: limit, cursor }
      const { acts, nextCursor } = await callUnary(accounts, accounts.listActs, request, shortCall(context))
      const next = nextCursor === '' ? null : nextCursor
      const link = nextPageLink(publicBaseUrl, '/api/operator/acts', context, next)
      sendPage(context, 'acts', acts.map(auditEntryResponse), next, link)
    },

    async queues(context: RequestContext): Promise<void> {
      const call = sideCall(context)
      const [content, identity, billing] = await Promise.all([
        orNull(callUnary(shares, shares.listQueues, {}, call)),
        orNull(callUnary(accounts, accounts.listQueues, {}, call)),
        everyoneIsPro ? null : orNull(callUnary(payments, payments.getPaymentState, {}, call)),
      ])
      const isBillingDown = !everyoneIsPro && billing === null
      sendJson(context.response, 200, {
        queues: [
          ...(content?.queues ?? []).map((queue) => queueResponse('content', queue)),
          ...(identity?.queues ?? []).map((queue) => queueResponse('identity', queue)),
          ...(billing?.queues ?? []).map((queue) => queueResponse('billing', queue)),
        ],
        payments:
          billing === null
            ? null
            : {
                provider: billing.provider,
                last_event_at: billing.lastEventAt?.toISOString() ?? null,
                wrong_mode_events: billing.wrongModeEvents,
                live_subscriptions: billing.liveSubscriptions,
                past_due_subscriptions: billing.pastDueSubscriptions,
                waiting_refunds: billing.waitingRefunds,
                plan_grants: billing.planGrants,
              },
        unavailable: [
          ...(content === null ? ['content'] : []),
          ...(identity === null ? ['identity'] : []),
          ...(isBillingDown ? ['billing'] : []),
        ],
      })
    },
  }
}
