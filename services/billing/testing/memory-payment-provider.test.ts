import { paymentEndContract } from '../adapters/payment-end-contract.js'
import { type PaymentProviderSide, paymentProviderContract } from '../adapters/payment-provider-contract.js'
import { memoryPaymentFixture } from './memory-payment-fixture.js'
import { memoryPaymentProvider, type PaymentFault } from './memory-payment-provider.js'

const open = async (): Promise<PaymentProviderSide> => {
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
}

paymentProviderContract('payments in memory', open)
paymentEndContract('the end of payments in memory', open)
