import { createLogger } from '#libs/log/logger.js'
import { sandboxPrices } from '#shared/sandbox-prices.js'
import { type RunningSandbox, startSandbox } from '../../../dev/payment-sandbox/start-sandbox.js'
import { memoryStore } from '../../../dev/payment-sandbox/store.js'
import type { PaymentProviderSide } from '../adapters/payment-provider-contract.js'
import { stripePaymentProvider } from '../adapters/stripe-payment-provider.js'
import { type SubscriptionId, subscriptionId } from '../domain/ids.js'

const secretKey = 'sk_test_sandbox'

/** A running sandbox, its provider, and controls for its side. */
export interface SandboxSide extends PaymentProviderSide {
  readonly sandbox: RunningSandbox
  /** Makes the next `times` requests whose method and path begin with `match` fail. */
  addFault(match: string, kind: string, times: number): Promise<void>
}

/** Starts a sandbox that stores nothing and sends no events. */
export async function sandboxSide(timeoutMs: number): Promise<SandboxSide> {
  const sandbox = await startSandbox({
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    secretKey,
    webhookSecret: 'whsec_sandbox',
    webhookUrl: () => null,
    store: memoryStore,
    faults: true,
    log: createLogger('sandbox', 'silent'),
  })
  const { url, model } = sandbox
  const control = async (path: string, fields: object = {}): Promise<void> => {
    const reply = await fetch(`${url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}`)
  }
  const addFault = (match: string, kind: string, times: number) => control('faults', { match, kind, times })
  const keptMinor = (id: SubscriptionId) =>
    Object.values(model.state.invoices)
      .filter(({ subscription, status }) => subscription === id && status === 'paid')
      .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)
  return {
    sandbox,
    addFault,
    provider: stripePaymentProvider({
      apiBase: url,
      pricesFormer: [],
      secretKey,
      priceMonth: sandboxPrices.month,
      priceYear: sandboxPrices.year,
      timeoutMs,
      retriesMax: 1,
    }),
    now: async () => new Date(model.now() * 1000),
    passTime: (ms) => control('clock', { advance_seconds: ms / 1000 }),
    async pay(id) {
      await control(`checkout/${id}/pay`)
      const made = model.state.checkouts[id]?.subscription
      if (typeof made !== 'string') throw new Error(`checkout ${id} was not paid`)
      return subscriptionId(made)
    },
    setPayments: (customer, succeed) => control(`customers/${customer}/payments`, { succeed }),
    sellElse: (id) => control(`subscriptions/${id}/sell-else`),
    keptMinor: async (id) => keptMinor(id),
    failNext: (how) => addFault('', how === 'refused' ? 'status-500' : 'lost-reply', 1),
  }
}
