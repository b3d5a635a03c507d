import type { Operation } from '../../http/operation.js'
import { eventPage } from '../events/event-schemas.js'
import { sharePage } from '../shares/share-schemas.js'
import { type AccountDependencies, accountHandlers } from './account-handlers.js'
import { type ModerationDependencies, moderationHandlers } from './moderation-handlers.js'
import * as schemas from './operator-schemas.js'

const common = { group: 'Operator', access: 'operator' } as const
const paged = { Link: '`rel="next"` while there are more pages.' }
const base = '/api/operator'

/** What operators see of accounts, and do to them. */
function accountOperations(dependencies: AccountDependencies): readonly Operation[] {
  const handlers = accountHandlers(dependencies)
  const one = `${base}/accounts/{id}`
  const suspended = { 200: { description: 'The account.', schema: schemas.suspension } }
  const granted = { 200: { description: 'The plan of the account.', schema: schemas.billingRecord } }
  const decided = { ...common, method: 'post', refusals: [400, 404, 413, 415] } as const
  return [
    {
      ...common,
      method: 'get',
      path: `${base}/accounts`,
      operationId: 'searchAccounts',
      summary: 'Find accounts by id, e-mail address or subject, 20 at most; or those that are closing',
      description: 'Matches are exact. Use it to find the account of a person who asks for help.',
      query: schemas.accountSearch,
      responses: {
        200: {
          description: 'The accounts, newest first; of closing ones, the next to be erased first.',
          schema: schemas.accountList,
        },
      },
      refusals: [400],
      handle: handlers.search,
    },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getAccount',
      summary: 'Get an account with its usage and its plan',
      description: 'Counts and sizes only: no content, and no titles of private snippets.',
      responses: { 200: { description: 'The account.', schema: schemas.accountDetails } },
      refusals: [404],
      handle: handlers.get,
    },
    {
      ...common,
      method: 'get',
      path: `${one}/events`,
      operationId: 'listAccountEvents',
      summary: 'List what happened in an account, newest first',
      description: 'What the account itself sees as its events.',
      query: schemas.eventsQuery,
      responses: { 200: { description: 'One page of results.', schema: eventPage, headers: paged } },
      refusals: [400, 404],
      handle: handlers.events,
    },
    {
      ...common,
      method: 'get',
      path: `${one}/shares`,
      operationId: 'listAccountShares',
      summary: 'List the shares of an account, newest first, without data',
      description: 'Lists shares in any state, unless `state` says otherwise.',
      query: schemas.accountShareQuery,
      responses: { 200: { description: 'One page of results.', schema: sharePage, headers: paged } },
      refusals: [400, 404],
      handle: handlers.shares,
    },
    {
      ...decided,
      path: `${one}/suspend`,
      operationId: 'suspendAccount',
      summary: 'Suspend an account',
      description:
        'All its credentials get 403 `account_suspended` and its shares 404 until it is resumed. Safe to repeat. If content does not respond, its shares are hidden as soon as it does.',
      body: { fields: schemas.decision, withData: 'none' },
      responses: suspended,
      refusals: [...decided.refusals, 409],
      handle: handlers.suspend,
    },
    {
      ...decided,
      path: `${one}/resume`,
      operationId: 'resumeAccount',
      summary: 'End the suspension of an account',
      description: 'Its credentials and its shares work again.',
      body: { fields: schemas.decision, withData: 'none' },
      responses: suspended,
      handle: handlers.resume,
    },
    {
      ...decided,
      path: `${one}/grant-plan`,
      operationId: 'grantPlan',
      summary: 'Give an account Pro until a time',
      description:
        'Replaces an earlier grant and goes on beside a subscription. It ends by itself. 404 without payments: everyone has Pro there.',
      body: { fields: schemas.planGrant, withData: 'none' },
      curl: [`--json '{"plan":"pro","expires_in":2592000,"reason":"Asked for by e-mail"}'`],
      responses: granted,
      handle: handlers.grantPlan,
    },
    {
      ...decided,
      path: `${one}/end-grant`,
      operationId: 'endPlanGrant',
      summary: 'End a plan that was given by hand',
      description: 'A subscription of the account goes on.',
      body: { fields: schemas.note, withData: 'none' },
      responses: granted,
      handle: handlers.endGrant,
    },
  ]
}

/** What operators see of reports and shares, and do to them. */
function moderationOperations(handlers: ReturnType<typeof moderationHandlers>): readonly Operation[] {
  const share = `${base}/shares/{id}`
  const changed = { 200: { description: 'The share.', schema: schemas.shareRecord } }
  const decided = { ...common, method: 'post', refusals: [400, 404, 413, 415] } as const
  return [
    {
      ...common,
      method: 'get',
      path: `${base}/reports`,
      operationId: 'listReports',
      summary: 'List reports of shares, newest first',
      description: 'Lists open reports, unless `state` asks for others. A report does not say who sent it.',
      query: schemas.reportListQuery,
      responses: { 200: { description: 'One page of results.', schema: schemas.reportPage, headers: paged } },
      refusals: [400],
      handle: handlers.listReports,
    },
    {
      ...decided,
      path: `${base}/reports/{id}/resolve`,
      operationId: 'resolveReport',
      summary: 'Close a report with a note',
      description: 'Changes nothing else. A closed report stays as it is.',
      body: { fields: schemas.note, withData: 'none' },
      responses: { 200: { description: 'The report.', schema: schemas.oneReport } },
      handle: handlers.resolveReport,
    },
    {
      ...common,
      method: 'get',
      path: share,
      operationId: 'getShareRecord',
      summary: 'Get the metadata of a share in any state',
      description: 'Also of one that has expired, is used up or was disabled. Without its data.',
      responses: changed,
      refusals: [404],
      handle: handlers.getShare,
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
      handle: handlers.disable,
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
      handle: handlers.enable,
    },
  ]
}

/** The operations of people who operate this installation; for everyone else these paths do not exist. */
export function operatorOperations(
  dependencies: ModerationDependencies & AccountDependencies,
): readonly Operation[] {
  const handlers = moderationHandlers(dependencies)
  return [
    ...moderationOperations(handlers),
    ...accountOperations(dependencies),
    {
      ...common,
      method: 'get',
      path: `${base}/acts`,
      operationId: 'listActs',
      summary: 'List audit log entries, newest first',
      description:
        'What operators did: who, when and why, recorded in the step of each change. An entry appears within seconds, and nothing can change or remove it.',
      query: schemas.auditLogQuery,
      responses: {
        200: { description: 'One page of results.', schema: schemas.auditLogPage, headers: paged },
      },
      refusals: [400],
      handle: handlers.auditLog,
    },
    {
      ...common,
      method: 'get',
      path: `${base}/queues`,
      operationId: 'listQueues',
      summary: 'Get the state of queues and payments',
      description: 'What waits to be done, and since when; subscriptions by their state.',
      responses: { 200: { description: 'The state.', schema: schemas.queueList } },
      refusals: [],
      handle: handlers.queues,
    },
  ]
}
