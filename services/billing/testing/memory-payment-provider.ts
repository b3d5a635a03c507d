import { unavailable } from '#libs/core/domain-error.js'
import type { CustomerId, SubscriptionId } from '../domain/ids.js'
import { noSubscription, type Subscription } from '../domain/subscription.js'
import type { CheckoutSession, PaymentProvider } from '../ports.js'
import type { MemoryPaymentFixture } from './memory-payment-fixture.js'

/** How a call fails: before it has an effect, or after it. */
export type PaymentFault = 'refused' | 'lost'

/** Runs `work` once per key, and refuses the key for another request. */
function onceByKey<T>(): (key: string, request: unknown, work: () => T) => T {
  const known = new Map<string, { readonly request: string; readonly result: T }>()
  return (key, request, work) => {
    const text = JSON.stringify(request)
    const found = known.get(key)
    if (found !== undefined && found.request !== text) throw unavailable('The key served another request.')
    const result = found === undefined ? work() : found.result
    known.set(key, { request: text, result })
    return result
  }
}

function end(fixture: MemoryPaymentFixture, id: SubscriptionId): void {
  const found = fixture.subscriptions.get(id)
  if (found !== undefined && found.now.status !== 'canceled')
    fixture.change(id, { status: 'canceled', overdueSince: null })
}

function undo(fixture: MemoryPaymentFixture, id: SubscriptionId): void {
  const found = fixture.subscriptions.get(id)
  if (found === undefined) return
  found.keptMinor = 0
  end(fixture, id)
}

/** Takes payments in memory, for tests. Each call consumes the first of `faults` and fails with it. */
export function memoryPaymentProvider(
  fixture: MemoryPaymentFixture,
  faults: PaymentFault[] = [],
): PaymentProvider {
  const customersOnce = onceByKey<CustomerId>()
  const checkoutsOnce = onceByKey<CheckoutSession>()
  const response = async <T>(work: () => T): Promise<T> => {
    const fault = faults.shift()
    if (fault === 'refused') throw unavailable('The payment provider fails.')
    const result = work()
    if (fault === 'lost') throw unavailable('The response of the payment provider was lost.')
    return result
  }
  const ofPro = (id: SubscriptionId): Subscription | null => {
    const found = fixture.subscriptions.get(id)
    return found === undefined || found.elsewhere ? null : found.now
  }
  return {
    prices: () => response(() => fixture.prices),
    createCustomer: (accountId, email, key) =>
      response(() => customersOnce(key, { accountId, email }, () => fixture.makeCustomer())),
    startCheckout: (order, key) =>
      response(() => checkoutsOnce(key, order, () => fixture.openCheckout(order))),
    closeCheckout: (id) =>
      response(() => {
        fixture.expire(id)
        return { paid: fixture.checkouts.get(id)?.state === 'paid' }
      }),
    openPortal: (customer) => response(() => `https://payments.example/portal/${customer}`),
    findSubscription: (id) => response(() => ofPro(id)),
    async *allSubscriptions() {
      yield* await response(() => [...fixture.subscriptions.keys()].map(ofPro).filter((one) => one !== null))
    },
    setCancelAtPeriodEnd: (id, cancelAtPeriodEnd) =>
      response(() => {
        const found = ofPro(id)
        if (found === null || found.status === 'canceled') throw noSubscription()
        return found.cancelAtPeriodEnd === cancelAtPeriodEnd
          ? found
          : fixture.change(id, { cancelAtPeriodEnd })
      }),
    endSubscription: (id) => response(() => end(fixture, id)),
    deleteCustomer: (id) =>
      response(() => {
        for (const [subscription, { now }] of fixture.subscriptions)
          if (now.customerId === id) end(fixture, subscription)
        fixture.customers.delete(id)
      }),
    undoSubscription: (id) => response(() => undo(fixture, id)),
  }
}
