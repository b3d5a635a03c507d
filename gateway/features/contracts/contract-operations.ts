import { callUnary } from '#libs/grpc/call.js'
import { createByteBudget } from '#libs/runtime/byte-budget.js'
import type { Contract } from '#proto/snipkeep/content/v1/contract_service.js'
import { contractTooLarge, rulesBytesMax } from '#shared/core/contract-limits.js'
import { planMessage } from '#shared/plan-messages.js'
import { depthMax, notJson } from '../../body/body-errors.js'
import { defaultBodyTimeLimits, isJson, readEncoding } from '../../body/read-body.js'
import { receiveBytes } from '../../body/receive-bytes.js'
import { requireJsonObject } from '../../body/require-json-object.js'
import { spendingOf } from '../../data/pointer-budget.js'
import { fetchUnlessKnown } from '../../http/conditional-read.js'
import type { Operation } from '../../http/operation.js'
import { sendJsonText } from '../../http/responses.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import {
  type Caller,
  principalOf,
  type RequestContext,
  shortCall,
  snippetInPath,
} from '../../request/request-context.js'
import { mustBeNew, quoteTag, readIfMatch } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { notModified, readConditions } from '../shared-descriptions.js'
import * as schemas from './contract-schemas.js'
import { contractText } from './contract-text.js'
import { checkJudgeable, checkRules, type JudgeDependencies } from './judge-candidate.js'

/** Receives rules within a memory budget. */
function createReceiveRules(): (context: RequestContext) => Promise<Buffer> {
  const budget = createByteBudget({ bytesMax: 32 * rulesBytesMax, holderBytesMax: 4 * rulesBytesMax })
  return async (context) => {
    const { request } = context
    if (!isJson(request)) throw notJson(request)
    const held = await receiveBytes(context, {
      limits: defaultBodyTimeLimits,
      budget,
      bytesMax: rulesBytesMax,
      isGzip: readEncoding(request) === 'gzip',
      tooLarge: contractTooLarge,
      busy: 'Too many contracts are being received. Try again shortly.',
    })
    try {
      await requireJsonObject(held.bytes(), depthMax)
      return Buffer.from(held.bytes())
    } finally {
      held.release()
    }
  }
}

function found(contract: Contract | undefined): Contract {
  if (contract === undefined) throw new Error('content returned no contract')
  return contract
}

const path = '/api/snippets/{id}/contract'
const common = { group: 'Contracts', access: 'account', path } as const
const etag = { ETag: 'Strong ETag; changes with the contract.' }
const ifMatch = { 'If-Match': 'One or more ETags; responds 412 unless one of them is current.' }

/** `/api/snippets/{id}/contract`. Without tools, nothing reads rules, so none can be set. */
export function contractOperations(
  dependencies: JudgeDependencies & Pick<FeatureDependencies, 'tools' | 'upstreams'>,
): readonly Operation[] {
  const { contracts: client } = dependencies.upstreams
  const receiveRules = createReceiveRules()

  const put = async (context: RequestContext, caller: Caller): Promise<void> => {
    const { headers } = context.request
    const [id, ownerId] = [snippetInPath(context), caller.accountId]
    const [ifMatch, ifNoneMatch] = [readIfMatch(headers['if-match']), mustBeNew(headers['if-none-match'])]
    const { snippet } = await dependencies.readSnippet(
      { ownerId, id, includeData: false },
      shortCall(context),
    )
    checkJudgeable(dependencies, snippet)
    const rules = await receiveRules(context)
    const { spend, refund } = spendingOf(dependencies.documentReads.pointerBudget, accountReader(caller))
    await checkRules(dependencies, { context, caller, rules, spend }).catch((error: unknown) => {
      refund(error)
      throw error
    })
    const request = {
      ...{ ownerId, id, plan: planMessage(caller.plan), rules: rules.toString('utf8').trim() },
      ...{ ifMatch, ifNoneMatch, principal: principalOf(caller) },
    }
    const { contract, created } = await callUnary(client, client.putContract, request, shortCall(context))
    const { etag } = found(contract)
    const text = contractText(found(contract))
    sendJsonText(context.response, created ? 201 : 200, text, { ETag: quoteTag(etag) })
  }

  const operations: readonly Operation[] = [
    {
      ...common,
      method: 'get',
      operationId: 'getContract',
      summary: 'Get the contract of a snippet',
      description: 'What the next versions of the snippet must be like.',
      requestHeaders: readConditions,
      responses: {
        200: { description: 'The contract.', schema: schemas.contract, headers: etag },
        ...notModified,
      },
      refusals: [403, 404, 412],
      async handle(context, { accountId: ownerId }) {
        const request = { ownerId, id: snippetInPath(context) }
        const read = async () =>
          found((await callUnary(client, client.getContract, request, shortCall(context))).contract)
        const contract = await fetchUnlessKnown(context, read, false)
        if (contract !== null) sendJsonText(context.response, 200, contractText(contract))
      },
    },
    {
      ...common,
      method: 'put',
      scope: 'approve',
      operationId: 'putContract',
      summary: 'Create or replace the contract of a snippet',
      description:
        'The body is the rules, up to 256 KiB. A mistake in them gets 400 `validation_failed` with its `pointer`; if the current version alone is larger than what can be judged, 413 `compare_too_large`. From then on, credentials that may not approve change `data` only by checks: everything else that would go around the contract gets 403 `approval_required`.',
      requestHeaders: { ...ifMatch, 'If-None-Match': '`*` only creates; responds 412 if there is one.' },
      body: { fields: schemas.contractRules, withData: 'none' },
      responses: {
        200: { description: 'Replaced.', schema: schemas.contract, headers: etag },
        201: { description: 'Created.', schema: schemas.contract, headers: etag },
      },
      refusals: [400, 403, 404, 408, 412, 413, 415],
      handle: put,
    },
    {
      ...common,
      method: 'delete',
      scope: 'approve',
      operationId: 'deleteContract',
      summary: 'Delete the contract of a snippet',
      description: 'The snippet, its versions and its checks stay.',
      requestHeaders: ifMatch,
      responses: { 204: { description: 'Deleted.' } },
      refusals: [400, 403, 404, 412],
      async handle(context, { accountId: ownerId }) {
        const ifMatch = readIfMatch(context.request.headers['if-match'])
        const request = { ownerId, id: snippetInPath(context), ifMatch }
        await callUnary(client, client.deleteContract, request, shortCall(context))
        context.response.writeHead(204)
        context.response.end()
      },
    },
  ]
  return operations.filter(({ method }) => dependencies.tools || method !== 'put')
}
