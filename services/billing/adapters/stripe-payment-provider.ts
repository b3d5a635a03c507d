import type Stripe from 'stripe'
import { type CustomerId, checkoutId, customerId, type SubscriptionId } from '../domain/ids.js'
import {
  type BillingInterval,
  noSubscription,
  type Price,
  type Subscription,
} from '../domain/subscription.js'
import type { CheckoutOrder, CheckoutSession, PaymentProvider } from '../ports.js'
import {
  askStripe,
  expectObject,
  hasCode,
  isMissing,
  isRefusal,
  pricesOfPro,
  type StripeSettings,
  stripeClient,
} from './stripe-client.js'
import { isEnding, readSubscription, subscriptionParts } from './stripe-subscription.js'
import { endStripeSubscription, undoStripeSubscription } from './undo-stripe-subscription.js'

/**
 * Starts a checkout of the price. The session and the subscription carry the account's id for operators;
 * nothing here trusts it. Stripe sets the expiry of the session: ours would differ in every retry, but a
 * repeated idempotency key requires the same request.
 */
async function startStripeCheckout(
  stripe: Stripe,
  order: CheckoutOrder,
  price: string,
  idempotencyKey: string,
): Promise<CheckoutSession> {
  const metadata = { account_id: order.accountId }
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: order.customerId,
      client_reference_id: order.accountId,
      line_items: [{ price, quantity: 1 }],
      success_url: order.successUrl,
      cancel_url: order.cancelUrl,
      metadata,
      subscription_data: { metadata },
    },
    { idempotencyKey },
  )
  const { id, url, expires_at } = expectObject(session, 'checkout.session')
  if (typeof url !== 'string' || !Number.isFinite(expires_at)) throw new Error('the checkout has no page')
  return { id: checkoutId(id), url, expiresAt: new Date(expires_at * 1000) }
}

/** Expires an open checkout; returns whether it was completed. */
async function closeStripeCheckout(stripe: Stripe, id: string): Promise<{ readonly paid: boolean }> {
  try {
    const expired = expectObject(await stripe.checkout.sessions.expire(id), 'checkout.session')
    return { paid: expired.status === 'complete' }
  } catch (error) {
    if (isMissing(error)) return { paid: false }
    if (!isRefusal(error)) throw error
    const { status } = expectObject(await stripe.checkout.sessions.retrieve(id), 'checkout.session')
    if (status === 'complete') return { paid: true }
    if (status === 'expired') return { paid: false }
    throw error
  }
}

const expand = [...subscriptionParts]

/** The price, unless it is missing, inactive or has another interval. */
async function readPrice(stripe: Stripe, id: string, interval: BillingInterval): Promise<readonly Price[]> {
  try {
    const price = expectObject(await stripe.prices.retrieve(id), 'price')
    const { active, currency, unit_amount: amountMinor, recurring } = price
    if (!active || amountMinor === null || recurring?.interval !== interval) return []
    return [{ interval, currency, amountMinor }]
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Creates a customer, without the e-mail address if Stripe rejects it: it is only a convenience for the payer. */
async function createCustomer(
  stripe: Stripe,
  accountId: string,
  email: string | null,
  idempotencyKey: string,
): Promise<CustomerId> {
  const metadata = { account_id: accountId }
  try {
    const params = email === null ? { metadata } : { metadata, email }
    return customerId(expectObject(await stripe.customers.create(params, { idempotencyKey }), 'customer').id)
  } catch (error) {
    if (email === null || !hasCode(error, 'email_invalid')) throw error
    return createCustomer(stripe, accountId, null, `${idempotencyKey}-no-email`)
  }
}

/** Stripe ends the customer's subscriptions itself, and keeps invoices. */
async function deleteCustomer(stripe: Stripe, id: CustomerId): Promise<void> {
  try {
    expectObject(await stripe.customers.del(id), 'customer')
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function findSubscription(stripe: Stripe, id: SubscriptionId): Promise<Stripe.Subscription | null> {
  try {
    return expectObject(await stripe.subscriptions.retrieve(id, { expand }), 'subscription')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The update that makes a subscription end with its period or continue; see `isEnding` for the two fields. */
function cancellation(found: Stripe.Subscription, cancel: boolean): Stripe.SubscriptionUpdateParams {
  if (cancel) return { cancel_at_period_end: true }
  return found.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' }
}

async function setCancelAtPeriodEnd(
  stripe: Stripe,
  prices: ReadonlySet<string>,
  id: SubscriptionId,
  cancel: boolean,
): Promise<Subscription> {
  const ongoing = (found: Stripe.Subscription | null): Subscription => {
    const known = found === null ? null : readSubscription(found, prices)
    if (known === null || known.status === 'canceled') throw noSubscription()
    return known
  }
  const found = await findSubscription(stripe, id)
  const known = ongoing(found)
  if (found === null || isEnding(found) === cancel) return known
  try {
    return ongoing(await stripe.subscriptions.update(id, { ...cancellation(found, cancel), expand }))
  } catch (error) {
    if (!isRefusal(error)) throw error
    ongoing(await findSubscription(stripe, id))
    throw error
  }
}

async function* allSubscriptions(stripe: Stripe, prices: ReadonlySet<string>): AsyncGenerator<Subscription> {
  let after: { readonly starting_after: string } | undefined
  for (;;) {
    const page = await askStripe(async () => {
      const params = { status: 'all', limit: 100, expand: expand.map((part) => `data.${part}`), ...after }
      const { data, has_more } = await stripe.subscriptions.list(params)
      const subscriptions = data.map((one) => readSubscription(one, prices)).filter((one) => one !== null)
      return { subscriptions, last: data.at(-1), more: has_more }
    })
    yield* page.subscriptions
    if (!page.more || page.last === undefined) return
    after = { starting_after: page.last.id }
  }
}

/**
 * Payments through Stripe. Stripe keeps the result of an idempotency key for a day, including its own
 * failures (5xx), and rejects the key for another request: a caller that retries after a failure with a
 * response, or with other parameters, needs a new key. Every failure without a specific meaning is
 * `unavailable`; its cause, a `StripeFailure`, has a `status` if Stripe responded and `null` if it did not.
 */
export function stripePaymentProvider(settings: StripeSettings): PaymentProvider {
  const stripe = stripeClient(settings)
  const priceOf: Readonly<Record<BillingInterval, string>> = {
    month: settings.priceMonth,
    year: settings.priceYear,
  }
  const prices = pricesOfPro(settings)
  return {
    prices: () =>
      askStripe(async () => {
        const intervals = ['month', 'year'] as const
        const found = await Promise.all(intervals.map((each) => readPrice(stripe, priceOf[each], each)))
        return found.flat()
      }),
    createCustomer: (accountId, email, key) => askStripe(() => createCustomer(stripe, accountId, email, key)),
    startCheckout: (order, key) =>
      askStripe(() => startStripeCheckout(stripe, order, priceOf[order.interval], key)),
    closeCheckout: (id) => askStripe(() => closeStripeCheckout(stripe, id)),
    openPortal: (customer, returnUrl) =>
      askStripe(async () => {
        const session = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })
        return expectObject(session, 'billing_portal.session').url
      }),
    findSubscription: (id) =>
      askStripe(async () => {
        const found = await findSubscription(stripe, id)
        return found === null ? null : readSubscription(found, prices)
      }),
    allSubscriptions: () => allSubscriptions(stripe, prices),
    setCancelAtPeriodEnd: (id, cancel) => askStripe(() => setCancelAtPeriodEnd(stripe, prices, id, cancel)),
    endSubscription: (id) => askStripe(() => endStripeSubscription(stripe, id)),
    deleteCustomer: (id) => askStripe(() => deleteCustomer(stripe, id)),
    undoSubscription: (id) => askStripe(() => undoStripeSubscription(stripe, id)),
  }
}
