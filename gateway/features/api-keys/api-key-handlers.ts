import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { firstDate } from '#libs/core/field-rules.js'
import { callUnary } from '#libs/grpc/call.js'
import { type ApiKey, OverlapBegin } from '#proto/snipkeep/identity/v1/api_key_service.js'
import { isApiKey } from '#shared/api-key/api-key-format.js'
import { parseQuery } from '../../body/parse-fields.js'
import { receiveFields } from '../../body/receive-body.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { scopeMessages } from '../../request/key-scopes.js'
import { type Caller, idInPath, type RequestContext, shortCall } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { apiKeyResponse, datesBetween, usageResponse } from './api-key-response.js'
import * as schemas from './api-key-schemas.js'

const daysMax = 366
const daysUnlessGiven = 30
const dayMs = 86_400_000

/** 403: the caller's plan has no API keys. */
function proRequired(): DomainError {
  return new DomainError('forbidden', 'pro_required', 'API keys require Pro. Upgrade to create one.')
}

const overlapBegin = {
  first_use: OverlapBegin.OVERLAP_BEGIN_FIRST_USE,
  now: OverlapBegin.OVERLAP_BEGIN_NOW,
} as const

/** The requested dates; the last thirty days by default. */
function requestedDates({
  from,
  to,
}: {
  from?: string | undefined
  to?: string | undefined
}): readonly string[] {
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

/** What `apiKeyHandlers` need. */
export type ApiKeyDependencies = Pick<
  FeatureDependencies,
  'forgetCaller' | 'plans' | 'publicBaseUrl' | 'uploads' | 'upstreams'
>

/** The handlers of `/api/keys`. */
export function apiKeyHandlers(dependencies: ApiKeyDependencies) {
  const { upstreams, plans, publicBaseUrl, forgetCaller } = dependencies
  const { apiKeys: client } = upstreams

  const idOf = (context: RequestContext): string => idInPath(context, 'This API key')
  const named = (context: RequestContext, { accountId }: Caller) => ({ accountId, id: idOf(context) })

  /** Sends a key with its new secret; no other response contains the secret. */
  const sendIssued = (
    { response }: RequestContext,
    { apiKey, key, replayed }: { apiKey: ApiKey | undefined; key: string; replayed: boolean },
  ): void => {
    if (apiKey === undefined) throw new Error('identity returned no API key')
    sendJson(
      response,
      201,
      { ...apiKeyResponse(apiKey), key },
      {
        Location: `${publicBaseUrl}/api/keys/${apiKey.id}`,
        'Cache-Control': 'no-store',
        ...replayedHeader(replayed),
      },
    )
  }

  return {
    async create(context: RequestContext, caller: Caller): Promise<void> {
      if (plans[caller.plan].apiKeys === 0) throw proRequired()
      const options = { fields: schemas.newApiKey, repeatable: true }
      const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
      const created = await callUnary(
        client,
        client.createApiKey,
        {
          accountId: caller.accountId,
          name: fields.name,
          scopes: scopeMessages(fields.scopes),
          expiresInSeconds: fields.expires_in,
          idempotencyKey,
        },
        shortCall(context),
      )
      sendIssued(context, created)
    },

    async rotate(context: RequestContext, caller: Caller): Promise<void> {
      if (plans[caller.plan].apiKeys === 0) throw proRequired()
      const options = { fields: schemas.rotation, repeatable: true }
      const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
      const request = {
        ...named(context, caller),
        overlapSeconds: fields.overlap_seconds,
        begins: overlapBegin[fields.begins],
        idempotencyKey,
      }
      const rotated = await callUnary(client, client.rotateApiKey, request, shortCall(context))
      forgetCaller(caller.accountId)
      sendIssued(context, rotated)
    },

    async endPrevious(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      await callUnary(client, client.endPreviousSecret, request, shortCall(context))
      forgetCaller(caller.accountId)
      sendJson(context.response, 200, { id: request.id, deleted: true })
    },

    async revoke(context: RequestContext): Promise<void> {
      const options = { fields: schemas.heldKey, repeatable: false }
      const { key } = (await receiveFields(dependencies, context, options)).fields
      if (isApiKey(key)) {
        const { accountId } = await callUnary(client, client.revokeApiKey, { key }, shortCall(context))
        if (accountId !== '') forgetCaller(accountId)
      }
      sendJson(context.response, 200, { accepted: true }, { 'Cache-Control': 'no-store' })
    },

    async list(context: RequestContext, { accountId }: Caller): Promise<void> {
      const { apiKeys } = await callUnary(client, client.listApiKeys, { accountId }, shortCall(context))
      sendJson(context.response, 200, { keys: apiKeys.map(apiKeyResponse) })
    },

    async get(context: RequestContext, caller: Caller): Promise<void> {
      const { apiKey } = await callUnary(client, client.getApiKey, named(context, caller), shortCall(context))
      if (apiKey === undefined) throw new Error('identity returned no API key')
      sendJson(context.response, 200, apiKeyResponse(apiKey))
    },

    async usage(context: RequestContext, caller: Caller): Promise<void> {
      const dates = requestedDates(parseQuery(schemas.apiKeyUsageQuery, context.search))
      const { days } = await callUnary(
        client,
        client.getApiKeyUsage,
        { ...named(context, caller), fromDate: dates.at(0) ?? '', toDate: dates.at(-1) ?? '' },
        shortCall(context),
      )
      sendJson(context.response, 200, usageResponse(dates, days))
    },

    async delete(context: RequestContext, caller: Caller): Promise<void> {
      const request = named(context, caller)
      await callUnary(client, client.deleteApiKey, request, shortCall(context))
      forgetCaller(caller.accountId)
      sendJson(context.response, 200, { id: request.id, deleted: true })
    },
  }
}
