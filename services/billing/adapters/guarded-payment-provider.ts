import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { PaymentProvider } from '../ports.js'
import { isAboutRequest } from './stripe-failure.js'

/** Whether a failure says that the provider is in trouble; a caller that went away or asks for nonsense does not say so. */
function isTrouble(error: Error): boolean {
  if (!(error instanceof DomainError) || error.kind !== 'unavailable') return false
  const isAbandoned = error.cause instanceof DOMException && error.cause.name === 'AbortError'
  return !isAbandoned && !isAboutRequest(error.cause)
}

/**
 * A provider that is left alone while it is in trouble: after 5 failures in a row every call fails as `unavailable` at
 * once, and after 5 s one call finds out, while others wait for it, whether that is over. Callers learn at once what they
 * would learn after seconds, and the provider is not held down by what wants to get up.
 */
export function guardedPaymentProvider(inner: PaymentProvider): PaymentProvider {
  const breaker = circuitBreaker(handleWhen(isTrouble), {
    halfOpenAfter: 5_000,
    breaker: new ConsecutiveBreaker(5),
  })
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await breaker.execute(work)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw unavailable('The payment provider cannot be reached.', error)
    }
  }
  async function* allSubscriptions() {
    const subscriptions = inner.allSubscriptions()[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await guard(() => subscriptions.next())
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await subscriptions.return?.()
    }
  }
  return {
    prices: () => guard(() => inner.prices()),
    createCustomer: (accountId, email, key) => guard(() => inner.createCustomer(accountId, email, key)),
    startCheckout: (order, key) => guard(() => inner.startCheckout(order, key)),
    closeCheckout: (id) => guard(() => inner.closeCheckout(id)),
    openPortal: (customerId, returnUrl) => guard(() => inner.openPortal(customerId, returnUrl)),
    findSubscription: (id) => guard(() => inner.findSubscription(id)),
    allSubscriptions,
    setCancelAtPeriodEnd: (id, cancel) => guard(() => inner.setCancelAtPeriodEnd(id, cancel)),
    undoSubscription: (id) => guard(() => inner.undoSubscription(id)),
  }
}
