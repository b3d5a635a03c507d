import { invalidField } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type ApiKeyServiceServer,
  ApiKeyServiceService,
  type ApiKeyUsage,
  OverlapBegin,
} from '#proto/snipkeep/identity/v1/api_key_service.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import {
  createApiKey,
  deleteApiKey,
  endPreviousSecret,
  ownedApiKey,
  resolveApiKey,
  revokeHeldKey,
  rotateApiKey,
} from '../application/api-keys.js'
import type { IssuedKey } from '../application/sealed-response.js'
import { accountId } from '../domain/account.js'
import { apiKeyId, checkDate, type KeyUse } from '../domain/api-key.js'
import type { IdentityPorts } from '../ports.js'
import { accountMessage, apiKeyMessage, scopeMessages, scopeName } from './grpc-messages.js'

function keyUse({ apiKeyId: id, date, requests, errors, lastUsedAt, secret }: ApiKeyUsage): KeyUse {
  if (lastUsedAt === undefined || requests < 0 || errors < 0 || secret < 0)
    throw invalidField('/usage', 'invalid', 'usage must have counts and a time.')
  return { apiKeyId: apiKeyId(id), date: checkDate('date', date), requests, errors, lastUsedAt, secret }
}

function issuedMessage({ apiKey, key, replayed }: IssuedKey) {
  return { apiKey: apiKeyMessage(apiKey), key, replayed }
}

export function grpcApiKeys(
  { unary }: Pick<Handlers, 'unary'>,
  ports: IdentityPorts,
  plans: PlanCatalogue,
  idleDays: number | null = null,
): BoundService {
  const handlers: ApiKeyServiceServer = {
    createApiKey: unary(async ({ accountId: owner, name, scopes, expiresInSeconds, idempotencyKey }) => {
      const options = { name, scopes: scopes.map(scopeName), expiresInSeconds: expiresInSeconds ?? null }
      const requestKey = idempotencyKey === '' ? null : idempotencyKey
      return issuedMessage(await createApiKey(ports, plans, accountId(owner), options, requestKey))
    }),
    getApiKey: unary(async ({ accountId: owner, id }) => ({
      apiKey: apiKeyMessage(await ownedApiKey(ports, accountId(owner), apiKeyId(id))),
    })),
    listApiKeys: unary(async ({ accountId: owner }) => ({
      apiKeys: (await ports.apiKeys.list(accountId(owner))).map(apiKeyMessage),
    })),
    deleteApiKey: unary(async ({ accountId: owner, id }) => {
      await deleteApiKey(ports, accountId(owner), apiKeyId(id))
      return {}
    }),
    getApiKeyUsage: unary(async ({ accountId: owner, id, fromDate, toDate }) => {
      const { id: owned } = await ownedApiKey(ports, accountId(owner), apiKeyId(id))
      const days = await ports.apiKeys.usage(owned, checkDate('from', fromDate), checkDate('to', toDate))
      return { days: days.map(({ date, requests, errors }) => ({ date, requests, errors })) }
    }),
    rotateApiKey: unary(async ({ accountId: owner, id, overlapSeconds, begins, idempotencyKey }) => {
      const rotation = {
        id: apiKeyId(id),
        overlapSeconds,
        begins: begins === OverlapBegin.OVERLAP_BEGIN_NOW ? ('now' as const) : ('first-use' as const),
      }
      const requestKey = idempotencyKey === '' ? null : idempotencyKey
      return issuedMessage(await rotateApiKey(ports, plans, accountId(owner), rotation, requestKey))
    }),
    endPreviousSecret: unary(async ({ accountId: owner, id }) => {
      await endPreviousSecret(ports, accountId(owner), apiKeyId(id))
      return {}
    }),
    revokeApiKey: unary(async ({ key }) => ({ accountId: (await revokeHeldKey(ports, key)) ?? '' })),
    resolveApiKey: unary(async ({ key }) => {
      const resolved = await resolveApiKey(ports, key, idleDays)
      const { account, apiKey, secret, overlapBegan, timeLeftMs, idle } = resolved
      return {
        account: accountMessage(account),
        apiKeyId: apiKey.id,
        apiKeyName: apiKey.name,
        scopes: scopeMessages(apiKey.scopes),
        timeLeftMs: timeLeftMs ?? undefined,
        asleep: idle,
        secret,
        overlapBegan,
      }
    }),
    recordApiKeyUsage: unary(async ({ batchId, usage }) => {
      await ports.apiKeys.addUsage(batchId, usage.map(keyUse))
      return {}
    }),
  }
  return { definition: ApiKeyServiceService, handlers, callers: { each: ['gateway'] } }
}
