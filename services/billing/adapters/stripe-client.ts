import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'

/** How Stripe is reached, and what is sold there. */
export interface StripeSettings {
  readonly secretKey: string
  /** The origin of a stand-in of Stripe's API; `null` for Stripe itself. */
  readonly apiBase: string | null
  readonly priceMonth: string
  readonly priceYear: string
  /** Prices of Pro that are no longer on sale, at which subscriptions go on. */
  readonly pricesFormer: readonly string[]
  /** How long one try may be silent. */
  readonly timeoutMs: number
  /** How often a call is tried again at most. */
  readonly retriesMax: number
}

/** The ids of every price at which a subscription is one for Pro. */
export function pricesOfPro({
  priceMonth,
  priceYear,
  pricesFormer,
}: Pick<StripeSettings, 'priceMonth' | 'priceYear' | 'pricesFormer'>): ReadonlySet<string> {
  return new Set([priceMonth, priceYear, ...pricesFormer])
}

/** The version of the API that the adapters read; what Stripe calls the account's default does not matter. */
export const apiVersion = '2026-10-28.endive'

/**
 * A client of Stripe's API that measures nothing about its caller. It gives every POST an idempotency key of its own
 * when it is given none, and keeps it while it tries again: after a lost connection, a timeout, a 409 (the same key is
 * at work elsewhere) and a 5xx.
 */
export function stripeClient({ secretKey, apiBase, timeoutMs, retriesMax }: StripeSettings): Stripe {
  const base = new URL(apiBase ?? 'https://api.stripe.com')
  const secure = base.protocol === 'https:'
  // The client's own timeout begins when a connection stands; the agent's also ends one that never comes to stand.
  const options = { keepAlive: true, timeout: timeoutMs }
  return new Stripe(secretKey, {
    apiVersion,
    // node:http wants the address of IPv6 without its brackets.
    host: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port === '' ? (secure ? 443 : 80) : Number(base.port),
    protocol: secure ? 'https' : 'http',
    httpAgent: secure ? new HttpsAgent(options) : new HttpAgent(options),
    timeout: timeoutMs,
    maxNetworkRetries: retriesMax,
    telemetry: false,
  })
}
