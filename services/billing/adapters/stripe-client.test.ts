import { afterEach, describe, expect, it, vi } from 'vitest'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { accountId, customerId, subscriptionId } from '../domain/ids.js'
import { noSubscription } from '../domain/subscription.js'
import type { PaymentProvider } from '../ports.js'
import { type ScriptedReply, scriptedStripe, stripeError } from '../testing/scripted-stripe.js'
import { askStripe, StripeFailure } from './stripe-client.js'
import { stripePaymentProvider } from './stripe-payment-provider.js'

const never = () => new Promise<never>(() => undefined)

describe('a call to Stripe', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('times out after 7.5 s, whatever is in progress', async () => {
    vi.useFakeTimers()
    let ended = false
    const asking = askStripe(never).finally(() => {
      ended = true
    })
    const failed = expect(asking).rejects.toMatchObject({ kind: 'unavailable', code: 'unavailable' })
    await vi.advanceTimersByTimeAsync(7_499)
    expect(ended).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await failed
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer behind when it succeeds', async () => {
    vi.useFakeTimers()
    expect(await askStripe(async () => 1)).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends when its caller disconnects, before or during the call', async () => {
    const gone = { kind: 'unavailable', cause: { name: 'AbortError' } }
    await expect(askStripe(never, AbortSignal.abort())).rejects.toMatchObject(gone)
    const caller = new AbortController()
    const asking = askStripe(never, caller.signal)
    caller.abort()
    await expect(asking).rejects.toMatchObject(gone)
  })

  it.each([noSubscription(), unavailable('It is down.')])('passes on domain errors', async (error) => {
    await expect(askStripe(() => Promise.reject(error))).rejects.toBe(error)
  })

  it.each([
    ['an error of ours', () => Promise.reject(new TypeError('x'))],
    ['a thrown text', () => Promise.reject('x')],
    [
      'a synchronous error',
      () => {
        throw new TypeError('x')
      },
    ],
  ])('reports %s as unavailable', async (_name, work) => {
    await expect(askStripe(work)).rejects.toMatchObject({ kind: 'unavailable', code: 'unavailable' })
  })
})

const secret = 'sk_test_4242secret'

/** So long that no response is too late on a busy machine. */
const usualTimeoutMs = 20_000

function providerAt(apiBase: string, retriesMax = 0, timeoutMs = usualTimeoutMs): PaymentProvider {
  const settings = { priceMonth: 'm', priceYear: 'y', pricesFormer: [], timeoutMs, retriesMax }
  return stripePaymentProvider({ secretKey: secret, apiBase, ...settings })
}

const calls: Readonly<Record<string, (provider: PaymentProvider) => Promise<unknown>>> = {
  prices: (provider) => provider.prices(),
  createCustomer: (provider) => provider.createCustomer(accountId('a'), 'ada@example.com', 'key'),
  startCheckout: (provider) => {
    const urls = { successUrl: 'https://app.example/', cancelUrl: 'https://app.example/' }
    const order = {
      accountId: accountId('a'),
      customerId: customerId('cus_1'),
      interval: 'month',
      ...urls,
    } as const
    return provider.startCheckout(order, 'key')
  },
  closeCheckout: async (provider) => {
    const { id } = await provider.startCheckout(
      {
        accountId: accountId('a'),
        customerId: customerId('cus_1'),
        interval: 'month',
        successUrl: 'x',
        cancelUrl: 'x',
      },
      'key',
    )
    return provider.closeCheckout(id)
  },
  openPortal: (provider) => provider.openPortal(customerId('cus_1'), 'https://app.example/'),
  findSubscription: (provider) => provider.findSubscription(subscriptionId('sub_1')),
  allSubscriptions: (provider) => provider.allSubscriptions()[Symbol.asyncIterator]().next(),
  setCancelAtPeriodEnd: (provider) => provider.setCancelAtPeriodEnd(subscriptionId('sub_1'), true),
  undoSubscription: (provider) => provider.undoSubscription(subscriptionId('sub_1')),
}

const words = `Invalid ${secret} of ada@example.com, card 4242 4242 4242 4242`

const faults: Readonly<Record<string, readonly [ScriptedReply, number | null]>> = {
  'a wrong key': [stripeError(401, null, 'invalid_request_error', words), 401],
  'a refusal without a code': [stripeError(403, null, 'invalid_request_error', words), 403],
  'a lasting conflict': [stripeError(409, 'idempotency_key_in_use', 'idempotency_error', words), 409],
  'too many requests': [stripeError(429, 'rate_limit', 'invalid_request_error', words), 429],
  'a failure': [stripeError(500, null, 'api_error', words), 500],
  'a failure without a reason': [{ status: 500, body: {} }, null],
  maintenance: [{ status: 503, body: '<html>Back soon</html>' }, null],
  "a proxy's login page": [{ body: '<html>Log in</html>' }, null],
  null: [{ body: 'null' }, null],
  'an empty response': [{ body: '' }, null],
  'an object of another type': [{ body: { id: 'x_1', object: 'something.else' } }, null],
  'a hang': ['hang', null],
  'a reset': ['reset', null],
  'half a response': ['truncate', null],
}

describe('when Stripe fails', () => {
  const cases = Object.entries(faults).flatMap(([fault, [reply, status]]) =>
    Object.entries(calls).map(([name, call]) => [name, fault, call, reply, status] as const),
  )

  it.concurrent.each(cases)('%s is unavailable in time: %s', async (_name, _fault, call, reply, status) => {
    const server = await scriptedStripe(() => reply)
    try {
      const provider = providerAt(server.url, 1, reply === 'hang' ? 200 : usualTimeoutMs)
      const startedAt = performance.now()
      const error: unknown = await call(provider).then(
        () => null,
        (reason) => reason,
      )
      expect(performance.now() - startedAt).toBeLessThan(usualTimeoutMs)
      if (!(error instanceof DomainError)) throw error ?? new Error('it succeeded')
      expect(error).toMatchObject({ kind: 'unavailable', code: 'unavailable', details: { retry_after: 1 } })
      if (!(error.cause instanceof StripeFailure)) throw error.cause
      expect(error.cause.status).toBe(status)
      const shown = `${error.message} ${error.cause.message} ${error.cause.stack} ${JSON.stringify(error.cause)}`
      for (const word of [secret, 'ada@example.com', '4242 4242']) expect(shown).not.toContain(word)
    } finally {
      await server.close()
    }
  })

  it.each([0, 1, 2])('retries at most %d times', async (retriesMax) => {
    const server = await scriptedStripe(() => stripeError(503, null, 'api_error'))
    try {
      const finding = providerAt(server.url, retriesMax).findSubscription(subscriptionId('sub_1'))
      await expect(finding).rejects.toMatchObject({ kind: 'unavailable' })
      expect(server.requests).toHaveLength(1 + retriesMax)
    } finally {
      await server.close()
    }
  })

  it('fails immediately when nothing listens', async () => {
    const server = await scriptedStripe(() => 'hang')
    await server.close()
    await expect(providerAt(server.url).prices()).rejects.toMatchObject({
      kind: 'unavailable',
      cause: { status: null },
    })
  })
})
