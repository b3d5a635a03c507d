import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { DomainError, unavailable } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { PaymentProvider } from '../ports.js'
import { isAboutRequest } from './stripe-client.js'

/** Whether a failure means that the provider is in trouble; cancelled and invalid requests do not. */
function isTrouble(error: Error): boolean {
  if (!(error instanceof DomainError) || error.kind !== 'unavailable') return false
  const isAbandoned = error.cause instanceof DOMException && error.cause.name === 'AbortError'
  return !isAbandoned && !isAboutRequest(error.cause)
}

/** The outcome of a call, for metrics. */
function outcomeOf(error: unknown): 'open' | 'unavailable' | 'refused' {
  if (error instanceof BrokenCircuitError) return 'open'
  return error instanceof Error && isTrouble(error) ? 'unavailable' : 'refused'
}

/**
 * A provider behind a circuit breaker: after 5 consecutive failures every call fails as `unavailable` at
 * once, and after 5 s a single call probes it while others wait for the result. Callers learn at once what
 * would otherwise take seconds, and a recovering provider is not overloaded.
 */
export function guardedPaymentProvider(inner: PaymentProvider): PaymentProvider {
  const breaker = circuitBreaker(handleWhen(isTrouble), {
    halfOpenAfter: 5_000,
    breaker: new ConsecutiveBreaker(5),
  })
  const guard = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const count = (outcome: string): void => {
      const seconds = (performance.now() - startedAt) / 1_000
      metrics.paymentProviderDuration.series(operation, outcome).observe(seconds)
    }
    try {
      const result = await breaker.execute(work)
      count('ok')
      return result
    } catch (error) {
      count(outcomeOf(error))
      if (!(error instanceof BrokenCircuitError)) throw error
      throw unavailable('The payment provider is unavailable. Try again later.', error)
    }
  }
  async function* allSubscriptions() {
    const subscriptions = inner.allSubscriptions()[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await guard('allSubscriptions', () => subscriptions.next())
        if (next.done === true) return
        yield next.value
      }
    } finally {
      await subscriptions.return?.()
    }
  }
  return {
    prices: () => guard('prices', () => inner.prices()),
    createCustomer: (accountId, email, key) =>
      guard('createCustomer', () => inner.createCustomer(accountId, email, key)),
    startCheckout: (order, key) => guard('startCheckout', () => inner.startCheckout(order, key)),
    closeCheckout: (id) => guard('closeCheckout', () => inner.closeCheckout(id)),
    openPortal: (customerId, returnUrl) => guard('openPortal', () => inner.openPortal(customerId, returnUrl)),
    findSubscription: (id) => guard('findSubscription', () => inner.findSubscription(id)),
    allSubscriptions,
    setCancelAtPeriodEnd: (id, cancel) =>
      guard('setCancelAtPeriodEnd', () => inner.setCancelAtPeriodEnd(id, cancel)),
    endSubscription: (id) => guard('endSubscription', () => inner.endSubscription(id)),
    deleteCustomer: (id) => guard('deleteCustomer', () => inner.deleteCustomer(id)),
    undoSubscription: (id) => guard('undoSubscription', () => inner.undoSubscription(id)),
  }
}
