import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { GrantPlanResponse } from '#proto/snipkeep/billing/v1/operator_service.js'
import type { AccountRecord } from '#proto/snipkeep/identity/v1/operator_service.js'
import { parseQuery } from '../../body/parse-fields.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { sendPage } from '../../http/send-page.js'
import { notFound, nothingForSale } from '../../request/problem.js'
import {
  type Caller,
  idInPath,
  type RequestContext,
  shortCall,
  sideCall,
} from '../../request/request-context.js'
import { showShares, unlessDown } from '../account/show-shares.js'
import { eventPage, eventResponse } from '../events/event-schemas.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { onePage } from '../shared-descriptions.js'
import { shareResponses } from '../shares/share-response.js'
import { sharePage, shareStates } from '../shares/share-schemas.js'
import { decided, read, receiveDecision } from './operator-decision.js'
import { accountResponse, billingResponse } from './operator-responses.js'
import * as schemas from './operator-schemas.js'

/** What `operatedAccountOperations` need. */
export type AccountDependencies = Pick<
  FeatureDependencies,
  | 'everyoneIsPro'
  | 'forgetCaller'
  | 'forgetShare'
  | 'operatorInEvents'
  | 'publicBaseUrl'
  | 'shareBaseUrl'
  | 'uploads'
  | 'upstreams'
>

const all = '/api/operator/accounts'
const one = `${all}/{id}`
const suspended = { 200: { description: 'The account.', schema: schemas.suspension } }
const granted = { 200: { description: 'The plan of the account.', schema: schemas.billingRecord } }

/** 409: who suspended themselves could not resume. */
function ownAccount(): DomainError {
  const message = 'This is your own account. Ask another operator to suspend it.'
  return new DomainError('conflict', 'own_account', message)
}

function accountInPath(context: RequestContext): string {
  return idInPath(context, 'This account')
}

/** What operators see of accounts, and do to them. */
export function operatedAccountOperations(dependencies: AccountDependencies): readonly Operation[] {
  const { upstreams, everyoneIsPro, publicBaseUrl, shareBaseUrl, forgetCaller } = dependencies
  const { operators, usage, events, shares } = upstreams
  const { accounts, payments } = operators

  const find = async (context: RequestContext, id: string): Promise<AccountRecord> => {
    const found = await callUnary(accounts, accounts.searchAccounts, { text: id }, shortCall(context))
    const record = found.accounts.find(({ account }) => account?.id === id)
    if (record === undefined) throw notFound('This account')
    return record
  }

  /** `null` without payments, and while billing does not respond. */
  const billingOf = async (context: RequestContext, accountId: string) => {
    if (everyoneIsPro) return null
    const call = callUnary(payments, payments.getBillingRecord, { accountId }, sideCall(context))
    const record = (await unlessDown(call))?.record
    return record === undefined ? null : billingResponse(record)
  }

  const setSuspended = async (context: RequestContext, caller: Caller, suspended: boolean): Promise<void> => {
    const id = accountInPath(context)
    if (suspended && id === caller.accountId) throw ownAccount()
    const { decision } = await receiveDecision(dependencies, context, caller, schemas.decision)
    const request = { accountId: id, suspended, decision }
    const { account: record } = await callUnary(accounts, accounts.setSuspended, request, shortCall(context))
    if (record?.account === undefined) throw new Error('identity returned no account')
    forgetCaller(id)
    await showShares(dependencies, context, record.account, record.suspensionVersion)
    sendJson(context.response, 200, accountResponse(record, everyoneIsPro))
  }

  const sendPlan = ({ response }: RequestContext, accountId: string, { record }: GrantPlanResponse): void => {
    if (record === undefined) throw new Error('billing returned no record')
    sendJson(response, 200, { account_id: accountId, billing: billingResponse(record) })
  }

  return [
    {
      ...read,
      access: 'operator',
      path: all,
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
      async handle(context) {
        const { q } = parseQuery(schemas.accountSearch, context.search)
        const call = shortCall(context)
        const found = await (q === undefined
          ? callUnary(accounts, accounts.listClosing, {}, call)
          : callUnary(accounts, accounts.searchAccounts, { text: q.trim() }, call))
        const list = found.accounts.map((record) => accountResponse(record, everyoneIsPro))
        sendJson(context.response, 200, { accounts: list })
      },
    },
    {
      ...read,
      access: 'operator',
      path: one,
      operationId: 'getAccount',
      summary: 'Get an account with its usage and its plan',
      description: 'Counts and sizes only: no content, and no titles of private snippets.',
      responses: { 200: { description: 'The account.', schema: schemas.accountDetails } },
      refusals: [404],
      async handle(context) {
        const id = accountInPath(context)
        const record = await find(context, id)
        const [used, billing] = await Promise.all([
          callUnary(usage, usage.getUsage, { ownerId: id }, shortCall(context)),
          billingOf(context, id),
        ])
        const { snippets, shares: live, storedBytes } = used
        const { contracts = 0, pendingChecks = 0 } = used
        const kept = { snippets, shares: live, stored_bytes: storedBytes, api_keys: record.apiKeys }
        sendJson(context.response, 200, {
          ...accountResponse(record, everyoneIsPro),
          usage: { ...kept, contracts, pending_checks: pendingChecks },
          billing,
        })
      },
    },
    {
      ...read,
      access: 'operator',
      path: `${one}/events`,
      operationId: 'listAccountEvents',
      summary: 'List what happened in an account, newest first',
      description: 'What the account itself sees as its events.',
      query: schemas.eventsQuery,
      responses: onePage(eventPage),
      refusals: [400, 404],
      async handle(context) {
        const accountId = accountInPath(context)
        const { limit, cursor = '' } = parseQuery(schemas.eventsQuery, context.search)
        const request = { accountId, type: '', subject: '', pageSize: limit, cursor }
        const found = await callUnary(events, events.listEvents, request, shortCall(context))
        const shown = found.events.map((event) => {
          const response = eventResponse(event)
          // The titles of private snippets are none of the operator's business.
          return event.subjectKind === 'snippet' ? { ...response, detail: {} } : response
        })
        sendPage(context, `${publicBaseUrl}${all}/${accountId}/events`, 'events', shown, found.nextCursor)
      },
    },
    {
      ...read,
      access: 'operator',
      path: `${one}/shares`,
      operationId: 'listAccountShares',
      summary: 'List the shares of an account, newest first, without data',
      description: 'Lists shares in any state, unless `state` says otherwise.',
      query: schemas.accountShareQuery,
      responses: onePage(sharePage),
      refusals: [400, 404],
      async handle(context) {
        const ownerId = accountInPath(context)
        const { state, limit, cursor = '' } = parseQuery(schemas.accountShareQuery, context.search)
        const request = { ownerId, tool: '', state: shareStates[state], pageSize: limit, cursor }
        const found = await callUnary(shares, shares.listShares, request, shortCall(context))
        const shown = found.shares.map(shareResponses(shareBaseUrl).listed)
        sendPage(context, `${publicBaseUrl}${all}/${ownerId}/shares`, 'shares', shown, found.nextCursor)
      },
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
      handle: (context, caller) => setSuspended(context, caller, true),
    },
    {
      ...decided,
      path: `${one}/resume`,
      operationId: 'resumeAccount',
      summary: 'End the suspension of an account',
      description: 'Its credentials and its shares work again.',
      body: { fields: schemas.decision, withData: 'none' },
      responses: suspended,
      handle: (context, caller) => setSuspended(context, caller, false),
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
      async handle(context, caller) {
        if (everyoneIsPro) throw nothingForSale()
        const { fields, decision } = await receiveDecision(dependencies, context, caller, schemas.planGrant)
        const accountId = accountInPath(context)
        await find(context, accountId)
        const { ends_at: endsAt, expires_in: seconds = 0 } = fields
        const until = endsAt === undefined ? new Date(Date.now() + seconds * 1_000) : new Date(endsAt)
        const request = { accountId, until, decision }
        const call = callUnary(payments, payments.grantPlan, request, shortCall(context))
        sendPlan(context, accountId, await call)
      },
    },
    {
      ...decided,
      path: `${one}/end-grant`,
      operationId: 'endPlanGrant',
      summary: 'End a plan that was given by hand',
      description: 'A subscription of the account goes on.',
      body: { fields: schemas.note, withData: 'none' },
      responses: granted,
      async handle(context, caller) {
        if (everyoneIsPro) throw nothingForSale()
        const { decision } = await receiveDecision(dependencies, context, caller, schemas.note)
        const accountId = accountInPath(context)
        const request = { accountId, decision }
        const call = callUnary(payments, payments.endPlanGrant, request, shortCall(context))
        sendPlan(context, accountId, await call)
      },
    },
  ]
}
