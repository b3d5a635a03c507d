import { createHmac } from 'node:crypto'
import { until } from './until.js'

/** An event of the sandbox. */
export interface DeliveredEvent {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly signature: string
  readonly delivered: boolean
}

/** A fake payment provider, and where its events go. */
export interface PaymentSide {
  /** The webhook of each billing process, bypassing the gateway. */
  readonly webhookUrls: readonly string[]
  /** Controls the sandbox, such as `clock` or `checkout/ID/pay`. */
  control<T>(path: string, fields?: object): Promise<T>
  /** Every event so far. */
  events(): Promise<readonly DeliveredEvent[]>
  /** Calls Stripe's API. */
  ask<T>(path: string): Promise<T>
  /** The owner of a subscription. */
  customerOf(subscription: string): Promise<string>
  /** Resolves when every event has been delivered. */
  settled(): Promise<void>
}

/** The key of the sandbox. */
export const secretKey = 'sk_test_of_the_end_to_end_tests'

/** The secrets that events may be signed with; the sandbox uses the last. */
export const webhookSecrets = ['whsec_the_new_one_of_the_tests', 'whsec_the_old_one_of_the_tests'] as const

/** The variables that make billing use the sandbox at this address. */
export function stripeEnv(url: string): Readonly<Record<string, string>> {
  return {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(','),
    STRIPE_PRICE_MONTH: 'price_month',
    STRIPE_PRICE_YEAR: 'price_year',
    STRIPE_API_BASE: url,
  }
}

/** The header that signs a body as the provider does. */
export function signWebhook(
  body: string | Buffer,
  secret: string = webhookSecrets[0],
  seconds: number = Math.floor(Date.now() / 1_000),
): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
}

async function request<T>(url: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return JSON.parse(text) as T
}

/** The sandbox at this address, for billing that receives its events at `webhookUrls`. */
export function paymentSide(url: string, webhookUrls: readonly string[]): PaymentSide {
  const events = async (): Promise<readonly DeliveredEvent[]> =>
    (await request<{ events: readonly DeliveredEvent[] }>(`${url}/sandbox/events`)).events
  const ask = <T>(path: string): Promise<T> =>
    request(`${url}/v1/${path}`, { headers: { Authorization: `Bearer ${secretKey}` } })
  return {
    webhookUrls,
    control: (path, fields = {}) =>
      request(`${url}/sandbox/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      }),
    events,
    ask,
    customerOf: async (id) => (await ask<{ customer: string }>(`subscriptions/${id}`)).customer,
    async settled() {
      const all = async () => (await events()).every(({ delivered }) => delivered)
      await until(all, () => 'not every event arrived')
    },
  }
}
