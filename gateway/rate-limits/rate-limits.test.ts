import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { RatePolicy } from '../request/counted-request.js'
import { type Caller, createRequestContext, type RequestContext } from '../request/request-context.js'
import { createMemorySlidingWindow } from './memory-sliding-window.js'
import { createRateLimits, createTenths, type Limit, type RateLimits } from './rate-limits.js'

const policies = {
  strict: { name: 'strict', requests: 5, seconds: 60 },
  standard: { name: 'standard', requests: 300, seconds: 60 },
  fairUse: { name: 'fair-use', requests: 600, seconds: 60 },
}

type Who = Pick<Caller, 'accountId' | 'plan' | 'provenBy'>
const token = { kind: 'identity-token' } as const
const key = { kind: 'api-key', id: 'key-1', secret: 1, scopes: ['read'] } as const
const free: Who = { accountId: 'ann', plan: 'free', provenBy: token }
const pro: Who = { accountId: 'ann', plan: 'pro', provenBy: token }

/** Limits that admit everything, and the calls of the window. */
function limits(
  scope: 'create' | 'all',
  admitted = true,
): { limits: RateLimits; asked: string[]; given: number[] } {
  const asked: string[] = []
  const given: number[] = []
  const window = {
    take: async (subject: string, policy: RatePolicy) => {
      asked.push(`${policy.name} ${subject}`)
      return { admitted, remaining: 4, resetMs: 1_200, refund: () => given.push(1) }
    },
  }
  return { limits: createRateLimits({ policies, scope, window }), asked, given }
}

function context() {
  const request = new IncomingMessage(new Socket())
  return createRequestContext(request, new ServerResponse(request), 'an-id', '203.0.113.1')
}

async function takeAndReport(limits: RateLimits, asked: RequestContext): Promise<void> {
  await limits.take(asked, limits.ofAnonymous(asked.clientAddress))
  limits.report(asked)
}

describe('the policy of a request', () => {
  const address = '203.0.113.1'
  const keyed: Who = { ...pro, provenBy: key }
  const downgraded: Who = { ...free, provenBy: key }
  const describeLimit = ({ policy, subject }: Limit): string => `${policy?.name} ${subject}`

  it('is that of its credential, and strict for Free creates, rejected credentials and forms', () => {
    const { limits: one } = limits('create')
    expect([
      describeLimit(one.ofAnonymous(address)),
      describeLimit(one.ofRejected(address)),
      describeLimit(one.ofForms(address)),
      describeLimit(one.ofCaller(address, free, false)),
      describeLimit(one.ofCaller(address, free, true)),
      describeLimit(one.ofCaller(address, pro, true)),
      describeLimit(one.ofCaller(address, keyed, true)),
      describeLimit(one.ofCaller(address, downgraded, true)),
    ]).toEqual([
      'standard 203.0.113.1',
      'strict refused 203.0.113.1',
      'strict form 203.0.113.1',
      'standard ann',
      'strict 203.0.113.1',
      'standard ann',
      'fair-use key-1',
      'fair-use key-1',
    ])
  })

  it('is strict for everything but Pro, if the scope is all', () => {
    const { limits: one } = limits('all')
    expect([
      describeLimit(one.ofAnonymous(address)),
      describeLimit(one.ofCaller(address, free, false)),
      describeLimit(one.ofCaller(address, downgraded, false)),
      describeLimit(one.ofCaller(address, pro, true)),
      describeLimit(one.ofCaller(address, keyed, true)),
    ]).toEqual([...Array(3).fill(`strict ${address}`), 'standard ann', 'fair-use key-1'])
  })

  it('is none if it is disabled', async () => {
    const none = { strict: null, standard: null, fairUse: null }
    const window = { take: async (): Promise<never> => Promise.reject(new Error('not to be asked')) }
    const off = createRateLimits({ policies: none, scope: 'create', window })
    const asked = context()
    await off.take(asked, off.ofAnonymous(address))
    await off.creates(asked, free)
    expect(asked.counted).toBeNull()
  })

  it('is a second one for a request that turns out to create', async () => {
    const { limits: one, asked } = limits('create')
    await one.creates(context(), free)
    await one.creates(context(), pro)
    await one.creates(context(), keyed)
    expect(asked).toEqual([`strict ${address}`])
  })
})

describe('an IPv6 network', () => {
  const real = () =>
    createRateLimits({ policies, scope: 'create', window: createMemorySlidingWindow(() => 0) })
  const take = async (limits: RateLimits, limit: Limit) => {
    const asked = context()
    const admitted = await limits.take(asked, limit).then(
      () => true,
      () => false,
    )
    return { admitted, remaining: asked.counted?.admission.remaining }
  }
  const from = (limits: RateLimits, address: string) => take(limits, limits.ofRejected(address))

  it('of a /48 may send ten times as much as one /64, however many of them it uses', async () => {
    const one = real()
    let admitted = 0
    for (let n = 0; n < 2_000; n += 1) {
      if ((await from(one, `2001:db8:1:${n.toString(16)}::/64`)).admitted === true) admitted += 1
    }
    expect(admitted).toBe(50)
    expect((await from(one, '2001:db8:2::/64')).admitted).toBe(true)
    expect((await take(one, one.ofCaller('2001:db8:1::/64', free, true))).admitted).toBe(true)
  })

  it('of a /64 that is used up takes nothing from the others of its /48', async () => {
    const one = real()
    let admitted = 0
    for (let n = 0; n < 500; n += 1)
      if ((await from(one, '2001:db8:1:2::/64')).admitted === true) admitted += 1
    expect(admitted).toBe(5)
    expect(await from(one, '2001:db8:1:3::/64')).toMatchObject({ admitted: true, remaining: 4 })
  })
})

describe('a response', () => {
  it('reports how much is left, in whole seconds', async () => {
    const asked = context()
    await takeAndReport(limits('create').limits, asked)
    expect(asked.response.getHeaders()).toMatchObject({
      'ratelimit-policy': '"standard";q=300;w=60',
      ratelimit: '"standard";r=4;t=2',
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': '2',
    })
  })

  /** How many of the responses with this status were refunded. */
  async function givenBack(responses: number, status: number, ifNoneMatch?: string): Promise<number> {
    const { limits: one, given } = limits('create')
    for (let n = 0; n < responses; n += 1) {
      const asked = context()
      if (ifNoneMatch !== undefined) asked.request.headers['if-none-match'] = ifNoneMatch
      await takeAndReport(one, asked)
      asked.response.statusCode = status
      asked.response.emit('finish')
    }
    return given.length
  }

  it('of 304 counts a tenth if the ETag was exact, and fully if it was *', async () => {
    expect(await givenBack(1, 304, '"known"')).toBe(0)
    expect(await givenBack(10, 304, '"known"')).toBe(9)
    expect(await givenBack(1_500, 304, 'W/"other", "known"')).toBe(1_350)
    expect(await givenBack(1_500, 304, '*')).toBe(0)
    expect(await givenBack(1_500, 304, ' * ')).toBe(0)
    expect(await givenBack(100, 200, '"old"')).toBe(0)
    expect(await givenBack(100, 200)).toBe(0)
  })

  it('of 429 names the policy, and when to retry', async () => {
    const { limits: one } = limits('create', false)
    await expect(one.take(context(), one.ofRejected('203.0.113.1'))).rejects.toMatchObject({
      kind: 'rate-limited',
      code: 'rate_limited',
      details: { policy: 'strict', limit: 5, window_seconds: 60, retry_after: 2 },
    })
  })
})

it('the first of ten counts, for each key separately', () => {
  const tenths = createTenths()
  const kept = (key: string) => Array.from({ length: 25 }, () => tenths.countsOneOfTen(key)).indexOf(true, 1)
  expect([kept('a'), kept('b')]).toEqual([10, 10])
})

it('at least a tenth counts, however many keys are interleaved', () => {
  const tenths = createTenths(3)
  let kept = 0
  for (let n = 0; n < 1_000; n += 1) if (tenths.countsOneOfTen(`key ${n % 5}`)) kept += 1
  expect(kept).toBeGreaterThanOrEqual(100)
})
