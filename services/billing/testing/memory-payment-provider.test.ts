import { paymentProviderContract } from '../adapters/payment-provider-contract.js'
import { memoryPaymentProvider, type PaymentFault } from './memory-payment-provider.js'
import { memoryPaymentWorld } from './memory-payment-world.js'

paymentProviderContract('payments in memory', async () => {
  const world = memoryPaymentWorld()
  const faults: PaymentFault[] = []
  return {
    provider: memoryPaymentProvider(world, faults),
    now: async () => world.now(),
    passTime: async (ms) => world.passTime(ms),
    pay: async (id) => world.pay(id),
    setPayments: async (customer, succeed) => world.setPayments(customer, succeed),
    keptMinor: async (id) => world.subscriptions.get(id)?.keptMinor ?? 0,
    sellElse: async (id) => world.sellElse(id),
    failNext: async (how) => void faults.push(how),
  }
})
