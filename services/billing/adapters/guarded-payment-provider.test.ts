import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import { accountId, customerId, subscriptionId } from '../domain/ids.js'
import { noSubscription, type Subscription } from '../domain/subscription.js'
import type { PaymentProvider } from '../ports.js'
import { memoryPaymentFixture } from '../testing/memory-payment-fixture.js'
import { memoryPaymentProvider } from '../testing/memory-payment-provider.js'
import { guardedPaymentProvider } from './guarded-payment-provider.js'
import { StripeFailure } from './stripe-client.js'

const account = accountId('account-000001')

/** A guarded provider that counts the calls that get through, and fails with `failure` while it is set. */
function guarded() {
  const state = { failure: null as unknown, reached: 0 }
  const inner = memoryPaymentProvider(memoryPaymentFixture())
  const reach = async <T>(work: () => Promise<T>): Promise<T> => {
    state.reached += 1
    if (state.failure !== null) throw state.failure
    return work()
  }
  const counted: PaymentProvider = {
    ...inner,
    prices: () => reach(() => inner.prices()),
    findSubscription: (id) => reach(() => inner.findSubscription(id)),
    async *allSubscriptions() {
      yield* await reach(async () => inner.allSubscriptions())
    },
  }
  return { state, provider: guardedPaymentProvider(counted) }
}

const aSubscription: Subscription = {
  id: subscriptionId('sub_1'),
  customerId: customerId('cus_1'),
  status: 'active',
  interval: 'month',
  startedAt: new Date(0),
  currentPeriodEnd: new Date(1),
  cancelAtPeriodEnd: false,
  overdueSince: null,
}

function refusal(statusCode: number, type: 'idempotency_error' | 'invalid_request_error' | 'api_error') {
  const response = Stripe.errors.StripeError.generate({ type, statusCode, message: 'No.', headers: {} })
  return unavailable('It does not respond as it should.', new StripeFailure(response))
}

const isUnavailable = { kind: 'unavailable', code: 'unavailable' }

async function list(provider: PaymentProvider): Promise<number> {
  let count = 0
  for await (const _ of provider.allSubscriptions()) count += 1
  return count
}

describe('a guarded provider', () => {
  const find = (provider: PaymentProvider) => provider.findSubscription(subscriptionId('sub_1'))

  async function breakIt({ state, provider }: ReturnType<typeof guarded>): Promise<void> {
    state.failure = unavailable('It is down.')
    for (let count = 0; count < 5; count += 1)
      await expect(find(provider)).rejects.toMatchObject(isUnavailable)
    state.reached = 0
  }

  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('passes every call through', async () => {
    const provider = guardedPaymentProvider(memoryPaymentProvider(memoryPaymentFixture()))
    const customer = await provider.createCustomer(account, null, 'a')
    const urls = { successUrl: 'https://app.example/', cancelUrl: 'https://app.example/' }
    const order = { accountId: account, customerId: customer, interval: 'month', ...urls } as const
    const { id } = await provider.startCheckout(order, 'b')
    expect(await provider.closeCheckout(id)).toEqual({ paid: false })
    expect(await provider.openPortal(customerId('cus_1'), 'https://app.example/')).toContain('https://')
    expect(await provider.prices()).toHaveLength(2)
    expect(await list(provider)).toBe(0)
    await provider.undoSubscription(subscriptionId('sub_1'))
    await expect(provider.setCancelAtPeriodEnd(subscriptionId('sub_1'), true)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('blocks all calls after five consecutive failures of any operation', async () => {
    const { state, provider } = guarded()
    await breakIt({ state, provider })
    for (const call of [() => find(provider), () => provider.prices(), () => list(provider)]) {
      await expect(call()).rejects.toMatchObject(isUnavailable)
    }
    expect(state.reached).toBe(0)
  })

  it('admits one trial call after 5 s, and all calls once it succeeds', async () => {
    const { state, provider } = guarded()
    await breakIt({ state, provider })
    vi.advanceTimersByTime(4_999)
    await expect(find(provider)).rejects.toMatchObject(isUnavailable)
    expect(state.reached).toBe(0)
    vi.advanceTimersByTime(1)
    state.failure = null
    expect(await Promise.all([find(provider), find(provider), list(provider)])).toEqual([null, null, 0])
    expect(state.reached).toBe(3)
  })

  it('blocks calls for another 5 s if the trial call fails', async () => {
    const { state, provider } = guarded()
    await breakIt({ state, provider })
    vi.advanceTimersByTime(5_000)
    const calls = await Promise.allSettled([find(provider), find(provider), provider.prices()])
    expect(calls.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(state.reached).toBe(1)
    vi.advanceTimersByTime(4_999)
    await expect(find(provider)).rejects.toMatchObject(isUnavailable)
    expect(state.reached).toBe(1)
  })

  it('starts counting again after a success', async () => {
    const { state, provider } = guarded()
    for (let round = 0; round < 3; round += 1) {
      state.failure = unavailable('It is down.')
      for (let count = 0; count < 4; count += 1)
        await expect(find(provider)).rejects.toMatchObject(isUnavailable)
      state.failure = null
      expect(await find(provider)).toBeNull()
    }
  })

  it.each([
    ['other domain errors', noSubscription()],
    ['programming errors', new TypeError('x is undefined')],
    ['idempotency conflicts', refusal(409, 'idempotency_error')],
    ['requests it rejects', refusal(400, 'invalid_request_error')],
    ['callers that disconnect', unavailable('Nobody waits.', new DOMException('gone', 'AbortError'))],
  ])('does not count %s as failures', async (_name, failure) => {
    const { state, provider } = guarded()
    state.failure = failure
    for (let count = 0; count < 20; count += 1) await expect(find(provider)).rejects.toBe(failure)
    expect(state.reached).toBe(20)
  })

  it.each([
    ['a wrong key', refusal(401, 'invalid_request_error')],
    ['too many requests', refusal(429, 'invalid_request_error')],
    ['server errors', refusal(500, 'api_error')],
  ])('blocks calls after %s', async (_name, failure) => {
    const { state, provider } = guarded()
    state.failure = failure
    for (let count = 0; count < 20; count += 1)
      await expect(find(provider)).rejects.toMatchObject(isUnavailable)
    expect(state.reached).toBe(5)
  })

  it('closes a list when its reader stops', async () => {
    let left = false
    const inner: PaymentProvider = {
      ...memoryPaymentProvider(memoryPaymentFixture()),
      async *allSubscriptions() {
        try {
          for (;;) yield aSubscription
        } finally {
          left = true
        }
      },
    }
    for await (const found of guardedPaymentProvider(inner).allSubscriptions()) {
      expect(found).toBe(aSubscription)
      break
    }
    expect(left).toBe(true)
  })

  it('counts a list that fails, at its start or in the middle', async () => {
    let listed = 0
    const inner: PaymentProvider = {
      ...memoryPaymentProvider(memoryPaymentFixture()),
      async *allSubscriptions() {
        listed += 1
        if (listed === 1) yield aSubscription
        throw unavailable('It is down.')
      },
    }
    const provider = guardedPaymentProvider(inner)
    for (let count = 0; count < 6; count += 1)
      await expect(list(provider)).rejects.toMatchObject(isUnavailable)
    expect(listed).toBe(5)
  })
})
