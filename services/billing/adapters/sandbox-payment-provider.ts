import type { PaymentProvider } from '../ports.js'
import { stripePaymentProvider } from './stripe-payment-provider.js'

/** The sandbox's address, key and prices. */
export interface SandboxSettings {
  readonly url: string
  readonly secretKey: string
  readonly priceMonth: string
  readonly priceYear: string
  readonly timeoutMs: number
  readonly retriesMax: number
}

/**
 * Payments through the development sandbox. It implements Stripe's API with two fixed prices, so that
 * development and tests use the same adapter as real payments.
 */
export function sandboxPaymentProvider({ url, ...settings }: SandboxSettings): PaymentProvider {
  return stripePaymentProvider({ ...settings, pricesFormer: [], apiBase: url })
}
