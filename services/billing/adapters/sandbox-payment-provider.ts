import type { PaymentProvider } from '../ports.js'
import { stripePaymentProvider } from './stripe-payment-provider.js'

/** Where the sandbox listens, the key that it expects, and what it sells. */
export interface SandboxSettings {
  readonly url: string
  readonly secretKey: string
  readonly priceMonth: string
  readonly priceYear: string
  readonly timeoutMs: number
  readonly retriesMax: number
}

/**
 * Takes payments by the sandbox of the development system. It speaks Stripe's API and sells at two fixed prices, so that
 * development and tests run through the very adapter that takes real money.
 */
export function sandboxPaymentProvider({ url, ...settings }: SandboxSettings): PaymentProvider {
  return stripePaymentProvider({ ...settings, pricesFormer: [], apiBase: url })
}
