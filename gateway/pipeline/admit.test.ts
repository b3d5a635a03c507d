import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import type { Operation } from '../http/operation.js'
import { createRateLimits } from '../rate-limits/rate-limits.js'
import { type Caller, createRequestContext, type RequestContext } from '../request/request-context.js'
import { type AdmitDependencies, admit, admitToPage, handle } from './admit.js'

const limitsOfPlan = {
  dataBytes: 1,
  snippets: 1,
  contracts: null,
  shares: 1,
  storedBytes: 1,
  shareTtlDays: 1,
  history: 1,
  apiKeys: 1,
  trustedPublishers: 1,
  revisions: 0,
}
const ann: Caller = {
  accountId: 'ann',
  provenBy: { kind: 'identity-token' },
  plan: 'pro',
  planVersion: 1,
  email: null,
  emailVerified: false,
  name: null,
  picture: null,
  createdAt: new Date(0),
}
const reader: Caller = { ...ann, provenBy: { kind: 'api-key', id: 'key', secret: 1, scopes: ['read'] } }
const policy = { requests: 3, seconds: 60 }
const policies = {
  strict: { name: 'strict', ...policy },
  standard: { name: 'standard', ...policy },
  fairUse: { name: 'fair-use', ...policy },
} as const

/** Stages with fakes, and the calls that they made, in order. */
function stages(who: Caller | DomainError, admitted = true) {
  const asked: string[] = []
  const window = {
    take: async (subject: string, { name }: { name: string }) => {
      asked.push(`take ${name} ${subject}`)
      return { admitted, remaining: 2, resetMs: 1_000, refund: () => {} }
    },
  }
  const parts: AdmitDependencies = {
    authenticate: async () => {
      asked.push('identity')
      if (who instanceof DomainError) throw who
      return who
    },
    limits: createRateLimits({ policies, scope: 'create', window }),
    plans: { free: limitsOfPlan, pro: limitsOfPlan },
  }
  return { parts, asked }
}

function context(): RequestContext {
  const request = new IncomingMessage(new Socket())
  return createRequestContext(request, new ServerResponse(request), 'an-id', '203.0.113.1')
}

const described = { operationId: 'x', group: 'x', summary: 'x', responses: {}, refusals: [] } as const

/** An operation that needs a caller, and the callers that its handler got. */
function operation(method: 'get' | 'post'): { operation: Operation; handled: unknown[] } {
  const handled: unknown[] = []
  const handle = async (_context: RequestContext, caller: Caller): Promise<void> => void handled.push(caller)
  return { operation: { ...described, method, path: '/x', access: 'account', handle }, handled }
}

const refusal = (code: string) => new DomainError('unauthenticated', code, 'No.')

describe('a request', () => {
  it('is authenticated, limited and authorized, in this order', async () => {
    const { parts, asked } = stages(reader)
    const { operation: write, handled } = operation('post')
    const one = context()
    await expect(handle(parts, write, one)).rejects.toMatchObject({ code: 'insufficient_scope' })
    expect(asked).toEqual(['identity', 'take fair-use key'])
    expect(handled).toEqual([])
    expect(one.response.getHeader('x-ratelimit-remaining')).toBe('2')
  })

  it('passes each stage once, even if the fast path hands it over', async () => {
    const { parts, asked } = stages(ann)
    const { operation: read, handled } = operation('get')
    const one = context()
    await admit(parts, read, one)
    await handle(parts, read, one)
    expect(asked).toEqual(['identity', 'take standard ann'])
    expect(handled).toEqual([ann])
    expect([one.caller, one.route]).toEqual([ann, '/x'])
  })

  it('that has failed is not handled again, at whatever stage it failed', async () => {
    const { parts, asked } = stages(ann)
    const { operation: read, handled } = operation('get')
    const one = context()
    await admit(parts, read, one)
    one.failure = refusal('found_out')
    await expect(handle(parts, read, one)).rejects.toMatchObject({ code: 'found_out' })
    expect([asked.length, handled.length]).toEqual([2, 0])
    const other = context()
    const limited = stages(ann, false)
    for (let n = 0; n < 2; n += 1)
      await expect(handle(limited.parts, read, other)).rejects.toMatchObject({ code: 'rate_limited' })
    expect(limited.asked).toEqual(['identity', 'take standard ann'])
  })

  it.each([
    ['missing_credentials', 'take standard 203.0.113.1'],
    ['invalid_token', 'take strict refused 203.0.113.1'],
    ['invalid_api_key', 'take strict refused 203.0.113.1'],
  ])('with %s counts once for its client', async (code, policyName) => {
    const { parts, asked } = stages(refusal(code))
    const one = context()
    for (let n = 0; n < 2; n += 1)
      await expect(handle(parts, operation('get').operation, one)).rejects.toMatchObject({ code })
    expect(asked).toEqual(['identity', policyName])
    expect(one.caller).toBeNull()
  })

  it('with rejected credentials gets 429 once there were too many', async () => {
    const { parts } = stages(refusal('invalid_token'), false)
    const one = context()
    await expect(handle(parts, operation('get').operation, one)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { policy: 'strict' },
    })
    expect(one.response.getHeader('ratelimit-policy')).toBe('"strict";q=3;w=60')
  })

  it('to a public operation is not authenticated, and counts for its client', async () => {
    const { parts, asked } = stages(refusal('not asked'))
    const share: Operation = {
      ...described,
      method: 'get',
      path: '/s',
      access: 'public',
      handle: async () => {},
    }
    await handle(parts, share, context())
    await admitToPage(parts, context())
    await handle(parts, { ...share, rate: 'never' }, context())
    await handle(parts, { ...share, rate: 'guesses' }, context())
    const standard = 'take standard 203.0.113.1'
    expect(asked).toEqual([standard, standard, 'take strict refused 203.0.113.1'])
  })

  it('with an invalid signature counts like rejected credentials, and no other failure does', async () => {
    const { parts, asked } = stages(ann)
    const webhook = (code: string): Operation => ({
      ...described,
      method: 'post',
      path: '/w',
      access: 'public',
      rate: 'forgeries',
      handle: () => Promise.reject(refusal(code)),
    })
    await expect(handle(parts, webhook('invalid_signature'), context())).rejects.toMatchObject({
      code: 'invalid_signature',
    })
    await expect(handle(parts, webhook('other'), context())).rejects.toMatchObject({ code: 'other' })
    expect(asked).toEqual(['take strict refused 203.0.113.1'])
  })
})
