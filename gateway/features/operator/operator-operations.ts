import { callUnary } from '#libs/grpc/call.js'
import { ReportState } from '#proto/snipkeep/content/v1/report_service.js'
import { parseQuery } from '../../body/parse-fields.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { sendPage } from '../../http/send-page.js'
import { notFound } from '../../request/problem.js'
import {
  type Caller,
  type RequestContext,
  shareInPath,
  shortCall,
  sideCall,
} from '../../request/request-context.js'
import { unlessDown } from '../account/show-shares.js'
import { onePage } from '../shared-descriptions.js'
import { type AccountDependencies, operatedAccountOperations } from './account-operations.js'
import { decided, read, receiveDecision } from './operator-decision.js'
import * as responses from './operator-responses.js'
import * as schemas from './operator-schemas.js'

const base = '/api/operator'
const share = `${base}/shares/{id}`
const changed = { 200: { description: 'The share.', schema: schemas.shareRecord } }

const reportState = {
  open: ReportState.REPORT_STATE_OPEN,
  resolved: ReportState.REPORT_STATE_RESOLVED,
  all: ReportState.REPORT_STATE_ALL,
} as const

/** What operators see of reports and shares, and do to them. */
function moderationOperations(dependencies: AccountDependencies): readonly Operation[] {
  const { upstreams, publicBaseUrl, shareBaseUrl, forgetShare } = dependencies
  const { reports, operators } = upstreams
  const { shares } = operators

  const setDisabled = async (context: RequestContext, caller: Caller, disabled: boolean): Promise<void> => {
    const id = shareInPath(context)
    const { decision } = await receiveDecision(dependencies, context, caller, schemas.decision)
    const request = { id, disabled, decision }
    const { share } = await callUnary(shares, shares.setShareDisabled, request, shortCall(context))
    await forgetShare(id)
    sendJson(context.response, 200, responses.shareRecordResponse(share, shareBaseUrl))
  }

  return [
    {
      ...read,
      access: 'operator',
      path: `${base}/reports`,
      operationId: 'listReports',
      summary: 'List reports of shares, newest first',
      description: 'Lists open reports, unless `state` asks for others. A report does not say who sent it.',
      query: schemas.reportListQuery,
      responses: onePage(schemas.reportPage),
      refusals: [400],
      async handle(context) {
        const query = parseQuery(schemas.reportListQuery, context.search)
        const { state, reason = '', share = '', limit, cursor = '' } = query
        const request = { state: reportState[state], reason, shareId: share, pageSize: limit, cursor }
        const found = await callUnary(reports, reports.listReports, request, shortCall(context))
        const shown = found.reports.map((report) => responses.reportResponse(report, shareBaseUrl))
        sendPage(context, `${publicBaseUrl}${base}/reports`, 'reports', shown, found.nextCursor)
      },
    },
    {
      ...decided,
      path: `${base}/reports/{id}/resolve`,
      operationId: 'resolveReport',
      summary: 'Close a report with a note',
      description: 'Changes nothing else. A closed report stays as it is.',
      body: { fields: schemas.note, withData: 'none' },
      responses: { 200: { description: 'The report.', schema: schemas.oneReport } },
      async handle(context, caller) {
        const { id = '' } = context.params
        if (!/^[0-9A-Za-z]{1,64}$/.test(id)) throw notFound('This report')
        const { decision } = await receiveDecision(dependencies, context, caller, schemas.note)
        const request = { id, decision }
        const { report } = await callUnary(reports, reports.resolveReport, request, shortCall(context))
        sendJson(context.response, 200, responses.reportResponse(report, shareBaseUrl))
      },
    },
    {
      ...read,
      access: 'operator',
      path: share,
      operationId: 'getShareRecord',
      summary: 'Get the metadata of a share in any state',
      description: 'Also of one that has expired, is used up or was disabled. Without its data.',
      responses: changed,
      refusals: [404],
      async handle(context) {
        const request = { id: shareInPath(context) }
        const { share } = await callUnary(shares, shares.getShareRecord, request, shortCall(context))
        sendJson(context.response, 200, responses.shareRecordResponse(share, shareBaseUrl))
      },
    },
    {
      ...decided,
      path: `${share}/disable`,
      operationId: 'disableShare',
      summary: 'Disable a share',
      description:
        'Its link returns 410 `share_disabled` at once. Its data is kept for 30 days, during which it can be enabled again, and then deleted.',
      body: { fields: schemas.decision, withData: 'none' },
      responses: changed,
      handle: (context, caller) => setDisabled(context, caller, true),
    },
    {
      ...decided,
      path: `${share}/enable`,
      operationId: 'enableShare',
      summary: 'Enable a disabled share',
      description: 'Possible until its data is deleted; from then on 409 `share_data_deleted`.',
      body: { fields: schemas.decision, withData: 'none' },
      responses: changed,
      refusals: [...decided.refusals, 409],
      handle: (context, caller) => setDisabled(context, caller, false),
    },
  ]
}

/** The operations of people who operate this installation; for everyone else these paths do not exist. */
export function operatorOperations(dependencies: AccountDependencies): readonly Operation[] {
  const { upstreams, publicBaseUrl, everyoneIsPro } = dependencies
  const { accounts, shares, payments } = upstreams.operators
  return [
    ...moderationOperations(dependencies),
    ...operatedAccountOperations(dependencies),
    {
      ...read,
      access: 'operator',
      path: `${base}/acts`,
      operationId: 'listActs',
      summary: 'List audit log entries, newest first',
      description:
        'What operators did: who, when and why, recorded in the step of each change. An entry appears within seconds, and nothing can change or remove it.',
      query: schemas.auditLogQuery,
      responses: onePage(schemas.auditLogPage),
      refusals: [400],
      async handle(context) {
        const query = parseQuery(schemas.auditLogQuery, context.search)
        const { account = '', subject = '', limit, cursor = '' } = query
        const request = { accountId: account, subjectId: subject, pageSize: limit, cursor }
        const { acts, nextCursor } = await callUnary(accounts, accounts.listActs, request, shortCall(context))
        const shown = acts.map(responses.auditEntryResponse)
        sendPage(context, `${publicBaseUrl}${base}/acts`, 'acts', shown, nextCursor)
      },
    },
    {
      ...read,
      access: 'operator',
      path: `${base}/queues`,
      operationId: 'listQueues',
      summary: 'Get the state of queues and payments',
      description: 'What waits to be done, and since when; subscriptions by their state.',
      responses: { 200: { description: 'The state.', schema: schemas.queueList } },
      refusals: [],
      async handle(context) {
        const call = sideCall(context)
        const [content, identity, billing] = await Promise.all([
          unlessDown(callUnary(shares, shares.listQueues, {}, call)),
          unlessDown(callUnary(accounts, accounts.listQueues, {}, call)),
          everyoneIsPro ? undefined : unlessDown(callUnary(payments, payments.getPaymentState, {}, call)),
        ])
        const services = Object.entries({ content, identity, billing })
        sendJson(context.response, 200, {
          queues: services.flatMap(([service, found]) =>
            (found?.queues ?? []).map((queue) => responses.queueResponse(service, queue)),
          ),
          payments: billing ? responses.paymentsResponse(billing) : null,
          unavailable: services.flatMap(([service, found]) => (found === null ? [service] : [])),
        })
      },
    },
  ]
}
