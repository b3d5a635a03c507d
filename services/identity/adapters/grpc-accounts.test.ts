import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { wholeMessage } from '#libs/testing/whole-message.js'
import {
  ResolveCallerRequest,
  type ResolveCallerResponse,
  SetPlanRequest,
  type SetPlanResponse,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { type IdentityServer, startIdentityServer } from '../testing/identity-server.js'

const context: CallContext = { requestId: 'test', timeoutMs: 10_000 }
const createdAt = new Date('2026-01-02T03:04:05.678Z')
const ada = {
  issuer: 'https://issuer.example',
  subject: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada',
}

let server: IdentityServer
beforeEach(async () => {
  server = await startIdentityServer(createdAt.getTime())
})
afterEach(() => server.stop())

function resolve(claims: Partial<ResolveCallerRequest>): Promise<ResolveCallerResponse> {
  return callUnary(
    server.accounts,
    server.accounts.resolveCaller,
    wholeMessage(ResolveCallerRequest, claims),
    context,
  )
}

function setPlan(request: Partial<SetPlanRequest>): Promise<SetPlanResponse> {
  return callUnary(server.accounts, server.accounts.setPlan, wholeMessage(SetPlanRequest, request), context)
}

describe('the account service', () => {
  it('creates an account on the Free plan for a new caller, and finds it again', async () => {
    const first = await resolve(ada)
    expect(first.account).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
      picture: undefined,
      plan: Plan.PLAN_FREE,
      planVersion: 0,
      createdAt,
      suspended: false,
    })
    expect(await resolve(ada)).toEqual({ ...first, created: false })
  })

  it('creates one account in 100 parallel first calls', async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, () => resolve(ada)))
    expect(new Set(responses.map(({ account }) => account?.id)).size).toBe(1)
  })

  it('keeps two people apart who share an e-mail address, verified or not', async () => {
    const other = await resolve({ ...ada, subject: 'eve', emailVerified: false })
    expect(other.account?.id).not.toBe((await resolve(ada)).account?.id)
  })

  it('records a plan, ignores outdated ones, and invalidates cached callers', async () => {
    const id = (await resolve(ada)).account?.id ?? ''
    const request = { accountId: id, plan: Plan.PLAN_PRO, version: 2 }
    expect(await setPlan(request)).toMatchObject({ applied: true, account: { plan: Plan.PLAN_PRO } })
    expect(await setPlan({ ...request, plan: Plan.PLAN_FREE, version: 1 })).toMatchObject({
      applied: false,
      account: { plan: Plan.PLAN_PRO },
    })
    expect((await resolve(ada)).account).toMatchObject({ plan: Plan.PLAN_PRO, planVersion: 2 })
    expect(server.identity.invalidated).toEqual([id, id])
  })

  it('rejects an invalid plan, and an unknown account', async () => {
    const accountId = (await resolve(ada)).account?.id ?? ''
    await expect(setPlan({ accountId, version: 1 })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await expect(setPlan({ accountId: 'nobody', plan: Plan.PLAN_PRO, version: 1 })).rejects.toMatchObject({
      kind: 'not-found',
      code: 'not_found',
    })
  })

  it('rejects invalid claims, naming each', async () => {
    await expect(resolve({ issuer: '', subject: 'a\u0000' })).rejects.toMatchObject({
      kind: 'invalid',
      details: { errors: [{ pointer: '/issuer' }, { pointer: '/subject' }] },
    })
  })
})
