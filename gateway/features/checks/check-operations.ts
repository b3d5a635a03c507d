import { DomainError } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import { type Check, CheckState } from '#proto/snipkeep/content/v1/check_service.js'
import { planMessage } from '#shared/plan-messages.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { sendRaw } from '../../data/send-raw.js'
import { fetchUnlessKnown } from '../../http/conditional-read.js'
import { announcesBody } from '../../http/connections.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { sendPage } from '../../http/send-page.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import {
  type Caller,
  idInPath,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { quoteTag } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { rangeHeaders, rawDescription, rawQuery, rawResponses } from '../raw-reads.js'
import { rawUploads, urlAlone } from '../schemas.js'
import { notModified, onePage, readConditions, repeatable, replayed } from '../shared-descriptions.js'
import { checkResponse, checkSummary, stateMessages } from './check-response.js'
import * as schemas from './check-schemas.js'
import { type CreateCheckDependencies, createCheck } from './create-check.js'

const common = { group: 'Contracts', access: 'account' } as const
const many = '/api/snippets/{id}/checks'
const one = '/api/checks/{id}'
const etag = { ETag: 'Strong ETag; changes when the check is decided.' }
const decided = {
  200: { description: 'The check as it is now.', schema: schemas.check, headers: etag },
}

/** 404: the bytes of a candidate are kept only while it may become a version, or is one. */
function dataGone(): DomainError {
  const message =
    'The data of this check is not kept any more: it was rejected, it expired, or the version that it became was replaced.'
  return new DomainError('not-found', 'not_found', message)
}

function found(check: Check | undefined): Check {
  if (check === undefined) throw new Error('content returned no check')
  return check
}

type CheckDependencies = CreateCheckDependencies & Pick<FeatureDependencies, 'documentReads' | 'uploads'>

/** Reads a check, unless the client has it. */
function createFetchCheck({ upstreams: { checks: client } }: Pick<CheckDependencies, 'upstreams'>) {
  return (context: RequestContext, { accountId: ownerId }: Caller, needsData: boolean) => {
    const id = idInPath(context, 'This check')
    const read = async (includeData: boolean): Promise<Check> => {
      const request = { ownerId, id, includeData }
      return found((await callUnary(client, client.getCheck, request, shortCall(context))).check)
    }
    return fetchUnlessKnown(context, read, needsData)
  }
}

function listChecks({ upstreams, publicBaseUrl }: CheckDependencies): Operation {
  const { checks: client } = upstreams
  return {
    ...common,
    method: 'get',
    path: many,
    operationId: 'listChecks',
    summary: 'List the checks of a snippet, newest first',
    description:
      'Without breaks. For a name that no snippet has yet, these are the checks that wait to become it.',
    query: schemas.checkListQuery,
    responses: onePage(schemas.checkPage),
    refusals: [400, 403, 404],
    async handle(context, { accountId: ownerId }) {
      const query = parseQuery(schemas.checkListQuery, context.search)
      const { state: wanted, limit: pageSize, cursor = '' } = query
      const state = wanted === undefined ? CheckState.CHECK_STATE_UNSPECIFIED : stateMessages[wanted]
      const id = snippetInPath(context)
      const request = { ownerId, id, state, pageSize, cursor }
      const page = await callUnary(client, client.listChecks, request, shortCall(context))
      const url = `${publicBaseUrl}/api/snippets/${id}/checks`
      const items = page.checks.map((check) => checkSummary(publicBaseUrl, check))
      sendPage(context, url, 'checks', items, page.nextCursor)
    },
  }
}

/** The reads of one check. */
function checkReads(dependencies: CheckDependencies): readonly Operation[] {
  const { publicBaseUrl, documentReads } = dependencies
  const fetchCheck = createFetchCheck(dependencies)
  return [
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getCheck',
      summary: 'Get a check',
      description: 'Its verdict, what breaks, and who decided.',
      requestHeaders: readConditions,
      responses: { 200: { description: 'The check.', schema: schemas.check, headers: etag }, ...notModified },
      refusals: [403, 404, 412],
      async handle(context, caller) {
        const check = await fetchCheck(context, caller, false)
        if (check !== null) sendJson(context.response, 200, checkResponse(publicBaseUrl, check))
      },
    },
    {
      ...common,
      method: 'get',
      path: `${one}/raw`,
      operationId: 'getCheckRaw',
      summary: "Get the raw bytes of a check's `data`, or of one value in it",
      description: `${rawDescription} 404 once they are not kept.`,
      query: rawQuery,
      requestHeaders: { ...readConditions, ...rangeHeaders },
      responses: rawResponses(etag),
      refusals: [400, 403, 404, 412, 416],
      async handle(context, caller) {
        const query = parseQuery(rawQuery, context.search)
        const source = await fetchCheck(context, caller, true)
        if (source === null) return
        if (source.data === undefined) throw dataGone()
        await sendRaw({ context, reads: documentReads, reader: accountReader(caller), source }, query)
      },
    },
  ]
}

/** Approving and rejecting. */
function decisions(dependencies: CheckDependencies): readonly Operation[] {
  const { upstreams, publicBaseUrl } = dependencies
  const { checks: client } = upstreams

  const decide = async (context: RequestContext, caller: Caller, approve: boolean): Promise<void> => {
    const id = idInPath(context, 'This check')
    const body = { fields: schemas.decision, repeatable: false }
    const { note = '' } = announcesBody(context.request)
      ? (await receiveFields(dependencies, context, body)).fields
      : {}
    const owner = { ownerId: caller.accountId, plan: planMessage(caller.plan) }
    const request = { ...owner, id, approve, note, principal: principalOf(caller) }
    const { check } = await callUnary(client, client.decideCheck, request, shortCall(context))
    const body200 = checkResponse(publicBaseUrl, found(check))
    sendJson(context.response, 200, body200, { ETag: quoteTag(found(check).etag) })
  }

  const decision = {
    ...common,
    method: 'post',
    scope: 'approve',
    body: { fields: schemas.decision, withData: 'none' },
    responses: decided,
    refusals: [400, 403, 404, 409, 413, 415],
  } as const
  return [
    {
      ...decision,
      path: `${one}/approve`,
      operationId: 'approveCheck',
      summary: 'Approve a check: its data becomes the next version',
      description:
        'The version that it was judged against must be the current one, else 409 `baseline_changed`: send the data again. 409 `check_decided` unless it is pending. The body may be left out.',
      handle: (context, caller) => decide(context, caller, true),
    },
    {
      ...decision,
      path: `${one}/reject`,
      operationId: 'rejectCheck',
      summary: 'Reject a check: its data is dropped',
      description: '409 `check_decided` unless it is pending. The body may be left out.',
      handle: (context, caller) => decide(context, caller, false),
    },
  ]
}

/** Sending a check, which needs tools. */
function sending(dependencies: CheckDependencies): Operation {
  return {
    ...common,
    method: 'post',
    path: many,
    rate: 'creates',
    operationId: 'createCheck',
    summary: 'Check data against the contract of a snippet',
    description: `Compares \`data\` with the current version, by the contract or, without one, exactly. Responds 201 whatever the verdict is. What is accepted is the next version at once; everything else waits for the owner, for 30 days and among the newest 100. \`@\` and a name that no snippet has: the data waits to become the first version. The current version, the data and a schema in a snippet are limited together, as in comparisons. ${rawUploads}`,
    query: schemas.checkQuery,
    requestHeaders: repeatable,
    body: { fields: schemas.newCheck, withData: 'required' },
    rawQuery: schemas.rawCheck,
    responses: {
      201: {
        description: 'The check.',
        schema: schemas.check,
        content: urlAlone,
        headers: { ...etag, Location: 'URL of the check.', ...replayed },
      },
    },
    refusals: [400, 403, 404, 408, 409, 413, 415],
    handle: createCheck(dependencies),
  }
}

/** `/api/snippets/{id}/checks` and `/api/checks`. Without tools, none can be sent. */
export function checkOperations(
  dependencies: CheckDependencies & Pick<FeatureDependencies, 'tools'>,
): readonly Operation[] {
  return [
    ...(dependencies.tools ? [sending(dependencies)] : []),
    listChecks(dependencies),
    ...checkReads(dependencies),
    ...decisions(dependencies),
  ]
}
