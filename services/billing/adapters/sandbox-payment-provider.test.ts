import { afterEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { accountId } from '../domain/ids.js'
import { type SandboxSide, sandboxSide } from '../testing/sandbox-side.js'
import { paymentEndContract } from './payment-end-contract.js'
import { paymentProviderContract } from './payment-provider-contract.js'

const sides: SandboxSide[] = []

async function open(timeoutMs: number): Promise<SandboxSide> {
  const side = await sandboxSide(timeoutMs)
  sides.push(side)
  return side
}

afterEach(async () => {
  await Promise.all(sides.splice(0).map(({ sandbox }) => sandbox.stop()))
})

paymentProviderContract('payments of the sandbox', () => open(20_000))
paymentEndContract('the end of payments of the sandbox', () => open(20_000))

const account = accountId('account-000001')

/** Retries `unavailable` calls, five times in all. */
async function persist<T>(failures: { count: number }, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unavailable' || failures.count === 5) throw error
      failures.count += 1
    }
  }
}

/** Subscribes, cancels, resumes and undoes, and retries what fails. */
async function runLifecycle({ provider, pay }: SandboxSide) {
  const failures = { count: 0 }
  const customer = await persist(failures, () => provider.createCustomer(account, null, 'customer'))
  const urls = { successUrl: 'https://app.example/done', cancelUrl: 'https://app.example/left' }
  const order = { accountId: account, customerId: customer, interval: 'month', ...urls } as const
  const { id } = await persist(failures, () => provider.startCheckout(order, 'checkout'))
  const subscription = await pay(id)
  const steps: readonly (() => Promise<unknown>)[] = [
    () => provider.closeCheckout(id),
    () => provider.setCancelAtPeriodEnd(subscription, true),
    () => provider.setCancelAtPeriodEnd(subscription, false),
    () => provider.findSubscription(subscription),
    () => provider.undoSubscription(subscription),
  ]
  const results: unknown[] = []
  for (const step of steps) results.push(await persist(failures, step))
  return { subscription, results }
}

const kinds = ['status-429', 'status-409', 'status-500', 'reset', 'hang', 'lost-reply', 'slow-100']
const requests = [
  'POST /v1/customers',
  'POST /v1/checkout/sessions',
  'POST /v1/checkout/sessions/cs',
  'GET /v1/checkout/sessions/cs',
  'GET /v1/subscriptions/',
  'POST /v1/subscriptions/',
  'DELETE /v1/subscriptions/',
  'GET /v1/invoices',
  'GET /v1/invoice_payments',
  'POST /v1/refunds',
]

describe('with one fault or three in a row', () => {
  const cases = kinds.flatMap((kind) => [1, 3].map((times) => [kind, times] as const))

  it.each(cases)('everything takes effect once: %s, %d times at any request', async (kind, times) => {
    const lifecycles = requests.map(async (match) => {
      const side = await open(kind === 'hang' ? 300 : 20_000)
      await side.addFault(match, kind, times)
      const { subscription, results } = await runLifecycle(side)
      expect(results).toMatchObject([
        { paid: true },
        { cancelAtPeriodEnd: true },
        { cancelAtPeriodEnd: false },
        { status: 'active', cancelAtPeriodEnd: false },
        undefined,
      ])
      const { customers, checkouts, subscriptions } = side.sandbox.model.state
      expect([customers, checkouts, subscriptions].map((all) => Object.keys(all).length)).toEqual([1, 1, 1])
      expect(await side.keptMinor(subscription)).toBe(0)
    })
    await Promise.all(lifecycles)
  })
})
