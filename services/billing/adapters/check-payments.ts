import type Stripe from 'stripe'
import { type Finding, ok, problem, skipped, warning } from '#libs/doctor/finding.js'
import type { BillingInterval } from '../domain/subscription.js'
import { isMissing, pricesOfPro, StripeFailure, type StripeSettings, stripeClient } from './stripe-client.js'

/** The provider to check, and its expected configuration. */
export interface PaymentsCheck extends StripeSettings {
  readonly kind: 'stripe' | 'sandbox'
  readonly production: boolean
  readonly publicBaseUrl: string
}

/** The events that billing needs. */
const neededEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
] as const

function keyFinding({ secretKey, kind, production }: PaymentsCheck): Finding {
  const check = 'payment key'
  if (kind === 'sandbox') return ok(check, 'the sandbox needs no real account')
  const live = /^(sk|rk)_live_/.test(secretKey)
  if (!live && !/^(sk|rk)_test_/.test(secretKey))
    return problem(
      check,
      'it is neither a secret nor a restricted key',
      'STRIPE_SECRET_KEY=sk_… or rk_…, from the developer page of Stripe',
    )
  if (!live && production)
    return warning(check, 'it is a test-mode key: no money moves', 'STRIPE_SECRET_KEY=rk_live_…')
  if (live && !production)
    return warning(
      check,
      'it is a live key, but this is not production',
      'NODE_ENV=production, or a test-mode key',
    )
  return ok(check, live ? 'live mode' : 'test mode')
}

function failureOf(error: unknown, { kind }: PaymentsCheck): Finding {
  const check = 'payment provider'
  const failure = new StripeFailure(error)
  const name = kind === 'sandbox' ? 'the sandbox' : 'Stripe'
  switch (failure.status) {
    case null:
      return problem(
        check,
        `${name} cannot be reached (${failure.message})`,
        kind === 'sandbox'
          ? 'start the sandbox, or correct SANDBOX_URL'
          : 'let billing reach https://api.stripe.com',
      )
    case 401:
      return problem(
        check,
        `${name} refuses the key`,
        kind === 'sandbox'
          ? 'correct SANDBOX_SECRET_KEY'
          : 'STRIPE_SECRET_KEY=a key that is not revoked, of this account',
      )
    case 403:
      return problem(
        check,
        'the restricted key may not read prices',
        'give it the permissions listed in docs/payments.md',
      )
    default:
      return problem(check, `${name} returns ${failure.message}`, 'see the log of the provider')
  }
}

function priceFinding(price: Stripe.Price, interval: BillingInterval, variable: string): Finding {
  const check = `${interval}ly price`
  const remedy = `${variable}=the id of an active ${interval}ly price`
  if (!price.active) return problem(check, `${price.id} is not active`, remedy)
  if (price.recurring?.interval !== interval || price.recurring.interval_count !== 1)
    return problem(check, `${price.id} does not recur every ${interval}`, remedy)
  if (price.unit_amount === null) return problem(check, `${price.id} has no fixed amount`, remedy)
  return ok(check, `${price.unit_amount} ${price.currency} (smallest unit)`)
}

async function checkPrice(stripe: Stripe, id: string, interval: BillingInterval): Promise<Finding> {
  const variable = `STRIPE_PRICE_${interval.toUpperCase()}`
  try {
    return priceFinding(await stripe.prices.retrieve(id), interval, variable)
  } catch (error) {
    if (!isMissing(error)) throw error
    const remedy = `${variable}=the id of a price of this account and this mode`
    return problem(`${interval}ly price`, `this account has no price ${id}`, remedy)
  }
}

/** The maximum subscriptions that the doctor checks: enough to find a forgotten price. */
const subscriptionsMax = 1_000

/** Whether one of our checkouts used a price that is no longer configured as a price of Pro. */
async function checkSubscriptions(stripe: Stripe, target: PaymentsCheck): Promise<Finding> {
  const check = 'prices of subscriptions'
  const known = pricesOfPro(target)
  const unknown = new Map<string, number>()
  let seen = 0
  for await (const { items, metadata } of stripe.subscriptions.list({ limit: 100 })) {
    seen += 1
    const prices = items.data.map(({ price }) => price.id)
    if (metadata.account_id !== undefined && !prices.some((price) => known.has(price)))
      for (const price of prices) unknown.set(price, (unknown.get(price) ?? 0) + 1)
    if (seen >= subscriptionsMax) break
  }
  if (unknown.size === 0) return ok(check, `${seen} checked`)
  const listed = [...unknown].map(([price, count]) => `${price} (${count})`).join(', ')
  const remedy = `STRIPE_PRICES_FORMER=${[...unknown.keys()].join(',')}, if these were prices of Pro`
  return warning(check, `subscriptions made here are at other prices and do not give Pro: ${listed}`, remedy)
}

async function checkFormerPrice(stripe: Stripe, id: string): Promise<readonly Finding[]> {
  try {
    await stripe.prices.retrieve(id)
    return []
  } catch (error) {
    if (!isMissing(error)) throw error
    const remedy = 'STRIPE_PRICES_FORMER=ids of prices of this account and this mode'
    return [problem('former prices', `this account has no price ${id}`, remedy)]
  }
}

async function checkWebhook(stripe: Stripe, { kind, publicBaseUrl }: PaymentsCheck): Promise<Finding> {
  const check = 'webhook'
  const url = `${publicBaseUrl}/api/webhooks/stripe`
  if (kind === 'sandbox') return skipped(check, 'the sandbox sends events where its own settings say')
  let endpoints: readonly Stripe.WebhookEndpoint[]
  try {
    endpoints = (await stripe.webhookEndpoints.list({ limit: 100 })).data
  } catch {
    return skipped(check, 'this key may not read webhook endpoints')
  }
  const found = endpoints.find((endpoint) => endpoint.url === url)
  if (found === undefined)
    return problem(
      check,
      `no webhook endpoint points to ${url}`,
      `create one for ${url} in Stripe; see docs/payments.md`,
    )
  if (found.status !== 'enabled')
    return problem(check, `the endpoint ${url} is disabled`, 'enable it in Stripe')
  const events = found.enabled_events
  const missing = neededEvents.filter((event) => !events.includes('*') && !events.includes(event))
  if (missing.length > 0)
    return problem(
      check,
      `the endpoint ${url} does not get ${missing.join(', ')}`,
      'add these events to it in Stripe',
    )
  return ok(check, `${url} gets all required events`)
}

/** Whether the payment provider accepts the key, has the configured prices, and sends events. */
export async function checkPayments(target: PaymentsCheck): Promise<readonly Finding[]> {
  const key = keyFinding(target)
  const stripe = stripeClient(target)
  try {
    const prices = [
      await checkPrice(stripe, target.priceMonth, 'month'),
      await checkPrice(stripe, target.priceYear, 'year'),
    ]
    const former = await Promise.all(target.pricesFormer.map((id) => checkFormerPrice(stripe, id)))
    const subscriptions = await checkSubscriptions(stripe, target)
    const reached = ok('payment provider', 'it is reachable and accepts the key')
    return [key, reached, ...prices, ...former.flat(), subscriptions, await checkWebhook(stripe, target)]
  } catch (error) {
    return [key, failureOf(error, target)]
  }
}
