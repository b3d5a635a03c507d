import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { firstDate } from '#libs/core/field-rules.js'
import { callUnary } from '#libs/grpc/call.js'
import { type ApiKey, OverlapBegin } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { isApiKey } from '#shared/api-key/api-key-format.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import type { Operation } from '../../http/operation.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { scopeMessages } from '../../request/key-scopes.js'
import { type Caller, idInPath, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { deleted } from '../schemas.js'
import { created } from '../shared-descriptions.js'
import * as schemas from './api-key-schemas.js'
import { apiKeyResponse, datesBetween, usageResponse } from './api-key-schemas.js'

const common = { group: 'API keys', access: 'identity-token' } as const
const all = '/api/keys'
const one = `${all}/{id}`

const daysMax = 366
const daysUnlessGiven = 30
const dayMs = 86_400_000

const overlapBegin = {
  first_use: OverlapBegin.OVERLAP_BEGIN_FIRST_USE,
  now: OverlapBegin.OVERLAP_BEGIN_NOW,
} as const

/** The requested dates; the last thirty days by default. */
function requestedDates({ search }: RequestContext): readonly string[] {
  const { from, to } = parseQuery(schemas.apiKeyUsageQuery, search)
  const last = to ?? new Date().toISOString().slice(0, 10)
  const before = new Date(Date.parse(last) - (daysUnlessGiven - 1) * dayMs).toISOString().slice(0, 10)
  const first = from ?? (before < firstDate ? firstDate : before)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  if (days >= 1 && days <= daysMax) return datesBetween(first, last)
  const [code, detail] =
    days < 1
      ? ['too_large', 'from must not be after to.']
      : ['too_small', `from must be at most ${daysMax} days before to.`]
  throw validationFailed([{ pointer: 'from', code, detail }])
}

function named(context: RequestContext, { accountId }: Caller) {
  return { accountId, id: idInPath(context, 'This API key') }
}

/** No operation on API keys accepts an API key. */
export function apiKeyOperations(
  dependencies: Pick<
    FeatureDependencies,
    'forgetCaller' | 'plans' | 'publicBaseUrl' | 'uploads' | 'upstreams'
  >,
): readonly Operation[] {
  const { upstreams, plans, publicBaseUrl, forgetCaller } = dependencies
  const { apiKeys: client } = upstreams

  /** @throws DomainError 403 `pro_required` if the caller's plan has no API keys. */
  const requirePro = ({ plan }: Caller): void => {
    const message = 'API keys require Pro. Upgrade to create one.'
    if (plans[plan].apiKeys === 0) throw new DomainError('forbidden', 'pro_required', message)
  }

  /** Sends a key with its new secret; no other response contains the secret. */
  const sendIssued = (
    { response }: RequestContext,
    { apiKey, key, replayed }: { apiKey: ApiKey | undefined; key: string; replayed: boolean },
  ): void => {
    if (apiKey === undefined) throw new Error('identity returned no API key')
    const headers = { Location: `${publicBaseUrl}${all}/${apiKey.id}`, 'Cache-Control': 'no-store' }
    sendJson(response, 201, { ...apiKeyResponse(apiKey), key }, { ...headers, ...replayedHeader(replayed) })
  }

  return [
    {
      ...common,
      method: 'post',
      path: all,
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description: 'Requires Pro. The key is shown only in this response; store it safely.',
      requestHeaders: {
        'Idempotency-Key': 'Makes the request safe to retry for 24 hours; a retry returns the same key.',
      },
      body: { fields: schemas.newApiKey, withData: 'none' },
      responses: created('API key', schemas.createdApiKey, 'The new key.'),
      refusals: [400, 403, 409, 413, 415],
      async handle(context, caller) {
        requirePro(caller)
        const options = { fields: schemas.newApiKey, repeatable: true }
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const { name, scopes, expires_in: expiresInSeconds } = fields
        const wanted = { name, scopes: scopeMessages(scopes), expiresInSeconds, idempotencyKey }
        const request = { accountId: caller.accountId, ...wanted }
        sendIssued(context, await callUnary(client, client.createApiKey, request, shortCall(context)))
      },
    },
    {
      ...common,
      method: 'get',
      path: all,
      operationId: 'listApiKeys',
      summary: 'List your API keys, newest first',
      description: 'Without the keys themselves, which are shown only when they are created or rotated.',
      responses: { 200: { description: 'All your API keys.', schema: schemas.apiKeyList } },
      refusals: [403],
      async handle(context, { accountId }) {
        const { apiKeys } = await callUnary(client, client.listApiKeys, { accountId }, shortCall(context))
        sendJson(context.response, 200, { keys: apiKeys.map(apiKeyResponse) })
      },
    },
    // Before the path of a single key, which would also match this one.
    {
      ...common,
      access: 'public',
      method: 'post',
      path: `${all}/revoke`,
      operationId: 'revokeHeldApiKey',
      rate: 'guesses',
      summary: 'Revoke an API key by sending the key itself',
      description:
        'For leaked keys: anyone who has the key can revoke it, without other credentials. During a rotation, a previous or still unused secret is revoked alone; any other secret revokes the whole key. The response is the same if the key does not exist.',
      body: { fields: schemas.heldKey, withData: 'none' },
      curl: ['--json "{\\"key\\": \\"$KEY\\"}"'],
      responses: { 200: { description: 'Accepted.', schema: schemas.revocation } },
      refusals: [400, 413, 415, 503, 504],
      async handle(context) {
        const options = { fields: schemas.heldKey, repeatable: false }
        const { key } = (await receiveFields(dependencies, context, options)).fields
        if (isApiKey(key)) {
          const { accountId } = await callUnary(client, client.revokeApiKey, { key }, shortCall(context))
          if (accountId !== '') forgetCaller(accountId)
        }
        sendJson(context.response, 200, { accepted: true }, { 'Cache-Control': 'no-store' })
      },
    },
    {
      ...common,
      method: 'get',
      path: one,
      operationId: 'getApiKey',
      summary: "Get an API key's details, without the key itself",
      description: 'Shows its scopes, when it expires, when it was last used, and the state of a rotation.',
      responses: { 200: { description: 'The API key.', schema: schemas.apiKey } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        const { apiKey } = await callUnary(client, client.getApiKey, request, shortCall(context))
        if (apiKey === undefined) throw new Error('identity returned no API key')
        sendJson(context.response, 200, apiKeyResponse(apiKey))
      },
    },
    {
      ...common,
      method: 'get',
      path: `${one}/usage`,
      operationId: 'getApiKeyUsage',
      summary: 'Get daily usage of an API key',
      description: 'Returns every day in the range, at most 366. Counts lag by a few seconds.',
      query: schemas.apiKeyUsageQuery,
      responses: { 200: { description: 'Usage by day.', schema: schemas.apiKeyUsage } },
      refusals: [400, 403, 404],
      async handle(context, caller) {
        const dates = requestedDates(context)
        const [fromDate = '', toDate = ''] = [dates.at(0), dates.at(-1)]
        const request = { ...named(context, caller), fromDate, toDate }
        const { days } = await callUnary(client, client.getApiKeyUsage, request, shortCall(context))
        sendJson(context.response, 200, usageResponse(dates, days))
      },
    },
    {
      ...common,
      method: 'post',
      path: `${one}/rotate`,
      operationId: 'rotateApiKey',
      summary: 'Give an API key a new secret',
      description:
        'Requires Pro. Both secrets work during the overlap, so no request fails. The key keeps its id, name, scopes and usage. If an earlier new secret is still unused, this replaces it.',
      requestHeaders: {
        'Idempotency-Key': 'Makes the request safe to retry for 24 hours; a retry returns the same secret.',
      },
      body: { fields: schemas.rotation, withData: 'none' },
      responses: created('API key', schemas.createdApiKey, 'The key, with its new secret.'),
      refusals: [400, 403, 404, 409, 413, 415],
      async handle(context, caller) {
        requirePro(caller)
        const options = { fields: schemas.rotation, repeatable: true }
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const request = {
          ...{ ...named(context, caller), overlapSeconds: fields.overlap_seconds, idempotencyKey },
          begins: overlapBegin[fields.begins],
        }
        const rotated = await callUnary(client, client.rotateApiKey, request, shortCall(context))
        forgetCaller(caller.accountId)
        sendIssued(context, rotated)
      },
    },
    {
      ...common,
      method: 'delete',
      path: `${one}/previous`,
      operationId: 'endPreviousSecret',
      summary: 'End the previous secret of an API key now',
      description: 'It stops working everywhere within a second. 404 if the key has only one secret.',
      responses: { 200: { description: 'Ended; `id` is that of the key.', schema: deleted } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        await callUnary(client, client.endPreviousSecret, request, shortCall(context))
        forgetCaller(caller.accountId)
        sendJson(context.response, 200, { id: request.id, deleted: true })
      },
    },
    {
      ...common,
      method: 'delete',
      path: one,
      operationId: 'deleteApiKey',
      summary: 'Revoke an API key',
      description: 'The key stops working everywhere within a second. Works after a downgrade, too.',
      responses: { 200: { description: 'Deleted.', schema: deleted } },
      refusals: [403, 404],
      async handle(context, caller) {
        const request = named(context, caller)
        await callUnary(client, client.deleteApiKey, request, shortCall(context))
        forgetCaller(caller.accountId)
        sendJson(context.response, 200, { id: request.id, deleted: true })
      },
    },
  ]
}
