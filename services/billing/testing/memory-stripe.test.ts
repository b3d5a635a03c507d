import { afterEach } from 'vitest'
import { sandboxPrices } from '#shared/sandbox-prices.js'
import { guardedPaymentProvider } from '../adapters/guarded-payment-provider.js'
import { paymentProviderContract } from '../adapters/payment-provider-contract.js'
import { sandboxPaymentProvider } from '../adapters/sandbox-payment-provider.js'
import type { PaymentFault } from './memory-payment-provider.js'
import { memoryPaymentWorld } from './memory-payment-world.js'
import { memoryStripe } from './memory-stripe.js'
import { type ScriptedStripe, scriptedStripe } from './scripted-stripe.js'

let server: ScriptedStripe | null = null

afterEach(async () => {
  await server?.close()
  server = null
})

paymentProviderContract('payments by an API like that of Stripe, guarded', async () => {
  const world = memoryPaymentWorld()
  const faults: PaymentFault[] = []
  server = await scriptedStripe(memoryStripe(world, faults))
  const settings = {
    url: server.url,
    secretKey: 'sk_test_sandbox',
    priceMonth: sandboxPrices.month,
    priceYear: sandboxPrices.year,
    timeoutMs: 2_000,
    retriesMax: 1,
  }
  return {
    provider: guardedPaymentProvider(sandboxPaymentProvider(settings)),
    now: async () => world.now(),
    passTime: async (ms) => world.passTime(ms),
    pay: async (id) => world.pay(id),
    setPayments: async (customer, succeed) => world.setPayments(customer, succeed),
    keptMinor: async (id) => world.subscriptions.get(id)?.keptMinor ?? 0,
    sellElse: async (id) => world.sellElse(id),
    failNext: async (how) => void faults.push(how),
  }
})
