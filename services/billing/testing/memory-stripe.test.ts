import { afterEach } from 'vitest'
import { sandboxPrices } from '#shared/sandbox-prices.js'
import { guardedPaymentProvider } from '../adapters/guarded-payment-provider.js'
import { paymentEndContract } from '../adapters/payment-end-contract.js'
import { type PaymentProviderSide, paymentProviderContract } from '../adapters/payment-provider-contract.js'
import { stripePaymentProvider } from '../adapters/stripe-payment-provider.js'
import { memoryPaymentFixture } from './memory-payment-fixture.js'
import type { PaymentFault } from './memory-payment-provider.js'
import { memoryStripe } from './memory-stripe.js'
import { type ScriptedStripe, scriptedStripe } from './scripted-stripe.js'

let server: ScriptedStripe | null = null

afterEach(async () => {
  await server?.close()
  server = null
})

const open = async (): Promise<PaymentProviderSide> => {
  const fixture = memoryPaymentFixture()
  const faults: PaymentFault[] = []
  server = await scriptedStripe(memoryStripe(fixture, faults))
  const settings = {
    apiBase: server.url,
    pricesFormer: [],
    secretKey: 'sk_test_sandbox',
    priceMonth: sandboxPrices.month,
    priceYear: sandboxPrices.year,
    timeoutMs: 20_000,
    retriesMax: 1,
  }
  return {
    provider: guardedPaymentProvider(stripePaymentProvider(settings)),
    now: async () => fixture.now(),
    passTime: async (ms) => fixture.passTime(ms),
    pay: async (id) => fixture.pay(id),
    setPayments: async (customer, succeed) => fixture.setPayments(customer, succeed),
    keptMinor: async (id) => fixture.subscriptions.get(id)?.keptMinor ?? 0,
    sellElse: async (id) => fixture.sellElse(id),
    failNext: async (how) => void faults.push(how),
  }
}

paymentProviderContract('payments through a Stripe-like API, guarded', open)
paymentEndContract('the end of payments through a Stripe-like API, guarded', open)
