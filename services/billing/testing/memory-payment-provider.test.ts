import { paymentProviderContract } from '../adapters/payment-provider-contract.js'
import { memoryPaymentFixture } from './memory-payment-fixture.js'
import { memoryPaymentProvider, type PaymentFault } from './memory-payment-provider.js'

paymentProviderContract('payments in memory', async () => {
  const fixture = memoryPaymentFixture()
  const faults: PaymentFault[] = []
  return {
    provider: memoryPaymentProvider(fixture, faults),
    now: async () => fixture.now(),
    passTime: async (ms) => fixture.passTime(ms),
    pay: async (id) => fixture.pay(id),
    setPayments: async (customer, succeed) => fixture.setPayments(customer, succeed),
    keptMinor: async (id) => fixture.subscriptions.get(id)?.keptMinor ?? 0,
    sellElse: async (id) => fixture.sellElse(id),
    failNext: async (how) => void faults.push(how),
  }
})
