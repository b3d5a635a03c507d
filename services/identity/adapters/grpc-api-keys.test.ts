import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { wholeMessage } from '#libs/testing/whole-message.js'
import { ResolveCallerRequest, SetPlanRequest } from '#proto/snipkeep/identity/v1/account_service.js'
import {
  ApiKeyScope,
  CreateApiKeyRequest,
  type CreateApiKeyResponse,
} from '#proto/snipkeep/identity/v1/api_key_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { isApiKey } from '#shared/api-key/api-key-format.js'
import { decidedAtTerminal } from '#shared/core/audit-entry.js'
import { accountId } from '../domain/account.js'
import { type IdentityServer, startIdentityServer } from '../testing/identity-server.js'

const context: CallContext = { requestId: 'test', timeoutMs: 10_000 }
const createdAt = new Date('2030-01-02T03:04:05.678Z')

let server: IdentityServer
let ann: string
beforeEach(async () => {
  server = await startIdentityServer(createdAt.getTime(), 30)
  ann = await account('ann', Plan.PLAN_PRO)
})
afterEach(() => server.stop())

async function account(subject: string, plan: Plan): Promise<string> {
  const { accounts } = server
  const claims = wholeMessage(ResolveCallerRequest, { issuer: 'https://issuer.example', subject })
  const { account: made } = await callUnary(accounts, accounts.resolveCaller, claims, context)
  const accountId = made?.id ?? ''
  const request = wholeMessage(SetPlanRequest, { accountId, plan, version: 1 })
  await callUnary(accounts, accounts.setPlan, request, context)
  return accountId
}

function create(request: Partial<CreateApiKeyRequest> = {}): Promise<CreateApiKeyResponse> {
  const { apiKeys } = server
  const message = wholeMessage(CreateApiKeyRequest, { accountId: ann, name: 'CI', ...request })
  return callUnary(apiKeys, apiKeys.createApiKey, message, context)
}

const resolve = (key: string) => callUnary(server.apiKeys, server.apiKeys.resolveApiKey, { key }, context)
const list = (accountId = ann) =>
  callUnary(server.apiKeys, server.apiKeys.listApiKeys, { accountId }, context)
const remove = (id: string, accountId = ann) =>
  callUnary(server.apiKeys, server.apiKeys.deleteApiKey, { accountId, id }, context)

describe('the API key service', () => {
  it('creates a key that acts for its account, and shows it only once', async () => {
    const { apiKey, key, replayed } = await create({ expiresInSeconds: 3_600 })
    expect(isApiKey(key)).toBe(true)
    expect(replayed).toBe(false)
    expect(apiKey).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      name: 'CI',
      prefix: key.slice(0, 8),
      last4: key.slice(-4),
      scopes: [ApiKeyScope.API_KEY_SCOPE_READ, ApiKeyScope.API_KEY_SCOPE_WRITE],
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
      lastUsedAt: undefined,
      requestCount: 0,
      current: {
        ...{ prefix: key.slice(0, 8), last4: key.slice(-4), createdAt },
        ...{ lastUsedAt: undefined, expiresAt: undefined },
      },
      previous: undefined,
    })
    expect(await resolve(key)).toMatchObject({
      account: { id: ann, plan: Plan.PLAN_PRO, planVersion: 1 },
      apiKeyId: apiKey?.id,
      timeLeftMs: 3_600_000,
    })
    expect(JSON.stringify(await list())).not.toContain(key.slice(8, -4))
  })

  it('allows five keys on Pro and none on Free', async () => {
    const free = await account('free', Plan.PLAN_FREE)
    await expect(create({ accountId: free })).rejects.toMatchObject({ code: 'pro_required' })
    const responses = await Promise.allSettled(Array.from({ length: 50 }, () => create()))
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    await expect(create()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'api_key_limit_reached',
      details: { limit: 5 },
    })
    expect((await list()).apiKeys).toHaveLength(5)
  })

  it('gives a key the requested scopes, in a fixed order', async () => {
    const scopes = [ApiKeyScope.API_KEY_SCOPE_WRITE, ApiKeyScope.API_KEY_SCOPE_READ]
    expect((await create({ scopes: [ApiKeyScope.API_KEY_SCOPE_READ] })).apiKey?.scopes).toEqual([
      ApiKeyScope.API_KEY_SCOPE_READ,
    ])
    expect((await create({ scopes })).apiKey?.scopes).toEqual(scopes.toReversed())
    const approving = [ApiKeyScope.API_KEY_SCOPE_APPROVE]
    expect((await create({ scopes: approving })).apiKey?.scopes).toEqual(approving)
    expect((await create({ scopes: [...approving, ...scopes] })).apiKey?.scopes).toEqual([
      ...scopes.toReversed(),
      ...approving,
    ])
    const unspecified = [ApiKeyScope.API_KEY_SCOPE_UNSPECIFIED]
    await expect(create({ scopes: unspecified })).rejects.toMatchObject({ code: 'validation_failed' })
  })

  it('rejects invalid fields, naming each', async () => {
    await expect(create({ name: ' ', expiresInSeconds: 59 })).rejects.toMatchObject({
      code: 'validation_failed',
      details: {
        errors: [
          { pointer: '/name', code: 'too_short' },
          { pointer: '/expires_in', code: 'too_small' },
        ],
      },
    })
    await expect(create({ name: 'x'.repeat(101) })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(create({ name: 'a\u0000b' })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(create({ expiresInSeconds: 3_153_600_001 })).rejects.toMatchObject({
      details: { errors: [{ code: 'too_large' }] },
    })
  })

  it('returns the same key for the same idempotency key, though it is not stored in the clear', async () => {
    const first = await create({ idempotencyKey: 'deploy 1' })
    const again = await create({ idempotencyKey: 'deploy 1' })
    expect(again).toEqual({ ...first, replayed: true })
    await expect(create({ idempotencyKey: 'deploy 1', name: 'Other' })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency_key_reused',
    })
    expect((await list()).apiKeys).toHaveLength(1)
  })

  it('deletes a key at once, for its owner alone, and invalidates cached callers', async () => {
    const { apiKey, key } = await create()
    const id = apiKey?.id ?? ''
    const bob = await account('bob', Plan.PLAN_PRO)
    await expect(remove(id, bob)).rejects.toMatchObject({ kind: 'forbidden', code: 'not_owner' })
    await remove(id)
    expect(server.identity.invalidated.at(-1)).toBe(ann)
    await expect(resolve(key)).rejects.toMatchObject({ kind: 'unauthenticated', code: 'invalid_api_key' })
    await expect(remove(id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(remove('no id')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('rejects expired keys, and still resolves those whose owner lost Pro', async () => {
    const short = await create({ expiresInSeconds: 60 })
    const long = await create()
    server.identity.passTime(60_000)
    await expect(resolve(short.key)).rejects.toMatchObject({ code: 'invalid_api_key' })
    const { accounts } = server
    const lapse = wholeMessage(SetPlanRequest, { accountId: ann, plan: Plan.PLAN_FREE, version: 2 })
    await callUnary(accounts, accounts.setPlan, lapse, context)
    expect((await resolve(long.key)).account).toMatchObject({ plan: Plan.PLAN_FREE, planVersion: 2 })
  })

  it('disables keys after the configured days without a sign-in of their owner, until the next one', async () => {
    const { key } = await create()
    const day = 86_400_000
    server.identity.passTime(31 * day - 1)
    expect((await resolve(key)).asleep).toBe(false)
    server.identity.passTime(1)
    expect((await resolve(key)).asleep).toBe(true)
    await account('ann', Plan.PLAN_PRO)
    expect(server.identity.invalidated).toContain(ann)
    expect((await resolve(key)).asleep).toBe(false)
  })

  it('reports that a key’s account is suspended', async () => {
    const { key } = await create()
    expect((await resolve(key)).account?.suspended).toBe(false)
    await server.identity.operator.suspend(accountId(ann), decidedAtTerminal('spam'))
    expect((await resolve(key)).account?.suspended).toBe(true)
  })

  it('counts a key’s usage by day, each batch once, and shows it only to its owner', async () => {
    const { apiKey } = await create()
    const apiKeyId = apiKey?.id ?? ''
    const use = { apiKeyId, secret: 1, date: '2030-01-02', requests: 3, errors: 1, lastUsedAt: createdAt }
    const record = (usage: (typeof use)[]) =>
      callUnary(server.apiKeys, server.apiKeys.recordApiKeyUsage, { batchId: 'b', usage }, context)
    await record([use])
    await record([use])
    const ask = (fields: object = {}) =>
      callUnary(
        server.apiKeys,
        server.apiKeys.getApiKeyUsage,
        { accountId: ann, id: apiKeyId, fromDate: '2030-01-01', toDate: '2030-01-31', ...fields },
        context,
      )
    expect((await ask()).days).toEqual([{ date: '2030-01-02', requests: 3, errors: 1 }])
    expect((await list()).apiKeys).toMatchObject([{ requestCount: 3, lastUsedAt: createdAt }])
    for (const fromDate of ['2030-02-30', 'yesterday', '2030-1-1', '']) {
      await expect(ask({ fromDate }), fromDate).rejects.toMatchObject({ code: 'validation_failed' })
    }
    const bob = await account('bob', Plan.PLAN_PRO)
    await expect(ask({ accountId: bob })).rejects.toMatchObject({ code: 'not_owner' })
    await expect(record([{ ...use, requests: -1 }])).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
