import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'

/** The Stripe account, and what is sold. */
export interface StripeSettings {
  readonly secretKey: string
  /** The base URL of a replacement for Stripe's API; `null` for Stripe itself. */
  readonly apiBase: string | null
  readonly priceMonth: string
  readonly priceYear: string
  /** Former prices of Pro, at which subscriptions continue. */
  readonly pricesFormer: readonly string[]
  /** The maximum silence of one attempt, in milliseconds. */
  readonly timeoutMs: number
  /** The maximum number of retries. */
  readonly retriesMax: number
}

/** The ids of all prices that give Pro. */
export function pricesOfPro({
  priceMonth,
  priceYear,
  pricesFormer,
}: Pick<StripeSettings, 'priceMonth' | 'priceYear' | 'pricesFormer'>): ReadonlySet<string> {
  return new Set([priceMonth, priceYear, ...pricesFormer])
}

/** The API version that the adapters use, independent of the account's default. */
export const apiVersion = '2026-10-28.endive'

/**
 * A client of Stripe's API without telemetry. It adds an idempotency key to every POST that has none, and
 * keeps it for its retries: after a lost connection, a timeout, a 409 (the key is in use) and a 5xx.
 */
export function stripeClient({ secretKey, apiBase, timeoutMs, retriesMax }: StripeSettings): Stripe {
  const base = new URL(apiBase ?? 'https://api.stripe.com')
  const secure = base.protocol === 'https:'
  // The client's own timeout starts when a connection is established; the agent's also covers connecting.
  const options = { keepAlive: true, timeout: timeoutMs }
  return new Stripe(secretKey, {
    apiVersion,
    // node:http expects an IPv6 address without brackets.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
    protocol: secure ? 'https' : 'http',
    httpAgent: secure ? new HttpsAgent(options) : new HttpAgent(options),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
  })
}
