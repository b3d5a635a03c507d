import { DomainError, isDown } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { AccountRecord } from '#proto/snipkeep/identity/v1/operator_service.js'
import { parseQuery } from '../../body/parse-fields.js'
import { sendJson } from '../../http/responses.js'
import { nextPageLink, sendPage } from '../../http/send-page.js'
import { notFound, nothingForSale } from '../../request/problem.js'
import {
  type Caller,
  idInPath,
  type RequestContext,
  shortCall,
  sideCall,
} from '../../request/request-context.js'
import { showShares } from '../account/show-shares.js'
import { eventResponse } from '../events/event-response.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { shareResponses } from '../shares/share-response.js'
import { shareStates } from '../shares/share-states.js'
import { receiveDecision } from './operator-decision.js'
import { accountResponse, billingResponse } from './operator-responses.js'
import * as schemas from './operator-schemas.js'

/** 409: who suspended themselves could not resume. */
function ownAccount(): DomainError {
  return new DomainError(
    'conflict',
    'own_account',
    'This is your own account. Ask another operator to suspend it.',
  )
}

/** What `accountHandlers` need. */
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

/** The handlers of `/api/operator/accounts`. */
export function accountHandlers(dependencies: AccountDependencies) {
  const { upstreams, everyoneIsPro, publicBaseUrl, shareBaseUrl, forgetCaller } = dependencies
  const { operators, usage, events, shares } = upstreams
  const { accounts, payments } = operators
  const base = '/api/operator/accounts'

  const idOf = (context: RequestContext): string => idInPath(context, 'This account')

  const find = async (context: RequestContext, id: string): Promise<AccountRecord> => {
    const found = await callUnary(accounts, accounts.searchAccounts, { text: id }, shortCall(context))
    const record = found.accounts.find(({ account }) => account?.id === id)
    if (record === undefined) throw notFound('This account')
    return record
  }

  /** `null` without payments, and while billing does not respond. */
  const billingOf = async (context: RequestContext, accountId: string) => {
    if (everyoneIsPro) return null
    try {
      const found = await callUnary(payments, payments.getBillingRecord, { accountId }, sideCall(context))
      return found.record === undefined ? null : billingResponse(found.record)
    } catch (error) {
      if (isDown(error)) return null
      throw error
    }
  }

  const setSuspended = async (context: RequestContext, caller: Caller, suspended: boolean): Promise<void> => {
    const id = idOf(context)
    if (suspended && id === caller.accountId) throw ownAccount()
    const { decision } = await receiveDecision(dependencies, context, caller, schemas.decision)
    const request = { accountId: id, suspended, decision }
    const { account: record } = await callUnary(accounts, accounts.setSuspended, request, shortCall(context))
    if (record?.account === undefined) throw new Error('identity returned no account')
    forgetCaller(id)
    await showShares(dependencies, context, record.account, record.suspensionVersion)
    sendJson(context.response, 200, accountResponse(record, everyoneIsPro))
  }

  return {
    async search(context: RequestContext): Promise<void> {
      const { q } = parseQuery(schemas.accountSearch, context.search)
      const found =
        q === undefined
          ? await callUnary(accounts, accounts.listClosing, {}, shortCall(context))
          : await callUnary(accounts, accounts.searchAccounts, { text: q.trim() }, shortCall(context))
      const list = found.accounts.map((record) => accountResponse(record, everyoneIsPro))
      sendJson(context.response, 200, { accounts: list })
    },

    async get(context: RequestContext): Promise<void> {
      const id = idOf(context)
      const record = await find(context, id)
      const [used, billing] = await Promise.all([
        callUnary(usage, usage.getUsage, { ownerId: id }, shortCall(context)),
        billingOf(context, id),
      ])
      const { snippets, shares: live, storedBytes } = used
      sendJson(context.response, 200, {
        ...accountResponse(record, everyoneIsPro),
        usage: { snippets, shares: live, stored_bytes: storedBytes, api_keys: record.apiKeys },
        billing,
      })
    },

    async events(context: RequestContext): Promise<void> {
      const accountId = idOf(context)
      const { limit, cursor = '' } = parseQuery(schemas.eventsQuery, context.search)
      const request = { accountId, type: '', subject: '', pageSize: limit, cursor }
      const found = await callUnary(events, events.listEvents, request, shortCall(context))
      const shown = found.events.map((event) => {
        const response = eventResponse(event)
        // The titles of private snippets are none of the operator's business.
        return event.subjectKind === 'snippet' ? { ...response, detail: {} } : response
      })
      const next = found.nextCursor === '' ? null : found.nextCursor
      const path = `${base}/${accountId}/events`
      sendPage(context, 'events', shown, next, nextPageLink(publicBaseUrl, path, context, next))
    },

    async shares(context: RequestContext): Promise<void> {
      const ownerId = idOf(context)
      const { state, limit, cursor = '' } = parseQuery(schemas.accountShareQuery, context.search)
      const request = { ownerId, tool: '', state: shareStates[state], pageSize: limit, cursor }
      const found = await callUnary(shares, shares.listShares, request, shortCall(context))
      const next = found.nextCursor === '' ? null : found.nextCursor
      const link = nextPageLink(publicBaseUrl, `${base}/${ownerId}/shares`, context, next)
      sendPage(context, 'shares', found.shares.map(shareResponses(shareBaseUrl).listed), next, link)
    },

    suspend: (context: RequestContext, caller: Caller) => setSuspended(context, caller, true),
    resume: (context: RequestContext, caller: Caller) => setSuspended(context, caller, false),

    async grantPlan(context: RequestContext, caller: Caller): Promise<void> {
      if (everyoneIsPro) throw nothingForSale()
      const { fields, decision } = await receiveDecision(dependencies, context, caller, schemas.planGrant)
      const accountId = idOf(context)
      await find(context, accountId)
      const { ends_at: endsAt, expires_in: seconds = 0 } = fields
      const until = endsAt === undefined ? new Date(Date.now() + seconds * 1_000) : new Date(endsAt)
      const request = { accountId, until, decision }
      const { record } = await callUnary(payments, payments.grantPlan, request, shortCall(context))
      if (record === undefined) throw new Error('billing returned no record')
      sendJson(context.response, 200, { account_id: accountId, billing: billingResponse(record) })
    },

    async endGrant(context: RequestContext, caller: Caller): Promise<void> {
      if (everyoneIsPro) throw nothingForSale()
      const { decision } = await receiveDecision(dependencies, context, caller, schemas.note)
      const accountId = idOf(context)
      const request = { accountId, decision }
      const { record } = await callUnary(payments, payments.endPlanGrant, request, shortCall(context))
      if (record === undefined) throw new Error('billing returned no record')
      sendJson(context.response, 200, { account_id: accountId, billing: billingResponse(record) })
    },
  }
}
