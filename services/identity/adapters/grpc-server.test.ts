import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { channelCredentials } from '#libs/grpc/client-options.js'
import { grpcHandlers } from '#libs/grpc/handler.js'
import { type RunningServer, startGrpcServer } from '#libs/grpc/server.js'
import { createLogger } from '#libs/log/logger.js'
import {
  AccountServiceClient,
  ResolveCallerRequest,
  type ResolveCallerResponse,
  SetPlanRequest,
  type SetPlanResponse,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { accountId } from '../domain/account.js'
import { grpcServer } from './grpc-server.js'
import { memoryAccountStore } from './memory-account-store.js'

const context: CallContext = { requestId: 'test', timeoutMs: 10_000 }
const createdAt = new Date('2026-01-02T03:04:05.678Z')
const ada = {
  issuer: 'https://issuer.example',
  subject: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada',
}

let server: RunningServer
let client: AccountServiceClient
beforeEach(async () => {
  let made = 0
  const ports = {
    accounts: memoryAccountStore(() => createdAt),
    ids: { next: () => accountId(`account-${++made}`) },
  }
  const handlers = grpcHandlers(createLogger('test', 'silent'))
  server = await startGrpcServer('127.0.0.1', 0, [grpcServer(handlers, ports)])
  client = new AccountServiceClient(`127.0.0.1:${server.port}`, channelCredentials())
})
afterEach(async () => {
  client.close()
  await server.stop()
})

function resolve(claims: Partial<ResolveCallerRequest>): Promise<ResolveCallerResponse> {
  return callUnary(client, client.resolveCaller, ResolveCallerRequest.fromPartial(claims), context)
}

function setPlan(request: Partial<SetPlanRequest>): Promise<SetPlanResponse> {
  return callUnary(client, client.setPlan, SetPlanRequest.fromPartial(request), context)
}

describe('the account service', () => {
  it('tells who the caller is, on the Free plan at first, and the same every time', async () => {
    const first = await resolve(ada)
    expect(first.account).toEqual({
      id: 'account-1',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
      picture: undefined,
      plan: Plan.PLAN_FREE,
      createdAt,
    })
    expect(await resolve(ada)).toEqual(first)
  })

  it('makes one account of 100 first sights at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => resolve(ada)))
    expect(new Set(answers.map(({ account }) => account?.id)).size).toBe(1)
  })

  it('tells two people apart who share an address, verified or not', async () => {
    const other = await resolve({ ...ada, subject: 'eve', emailVerified: false })
    expect(other.account?.id).not.toBe((await resolve(ada)).account?.id)
  })

  it('records a plan, ignores what comes late, and says which it was', async () => {
    await resolve(ada)
    const request = { accountId: 'account-1', plan: Plan.PLAN_PRO, version: 2 }
    expect(await setPlan(request)).toMatchObject({ applied: true, account: { plan: Plan.PLAN_PRO } })
    expect(await setPlan({ ...request, plan: Plan.PLAN_FREE, version: 1 })).toMatchObject({
      applied: false,
      account: { plan: Plan.PLAN_PRO },
    })
    expect((await resolve(ada)).account?.plan).toBe(Plan.PLAN_PRO)
  })

  it('refuses a plan that is none, and an account that does not exist', async () => {
    await resolve(ada)
    await expect(setPlan({ accountId: 'account-1', version: 1 })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(setPlan({ accountId: 'nobody', plan: Plan.PLAN_PRO, version: 1 })).rejects.toMatchObject({
      kind: 'not-found',
      code: 'not_found',
    })
  })

  it('refuses claims that no token may carry, and names each', async () => {
    await expect(resolve({ issuer: '', subject: 'a\u0000' })).rejects.toMatchObject({
      kind: 'invalid',
      details: { errors: [{ pointer: '/issuer' }, { pointer: '/subject' }] },
    })
  })
})
