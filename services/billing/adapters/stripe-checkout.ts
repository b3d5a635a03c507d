import type Stripe from 'stripe'
import { checkoutId } from '../domain/ids.js'
import type { CheckoutOrder, CheckoutSession } from '../ports.js'
import { expectObject, isMissing, isRefusal } from './stripe-client.js'

/**
 * Starts a checkout of the price. The session and the subscription carry the account's id for operators;
 * nothing here trusts it. Stripe sets the expiry of the session: ours would differ in every retry, but a
 * repeated idempotency key requires the same request.
 */
export async function startStripeCheckout(
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
export async function closeStripeCheckout(stripe: Stripe, id: string): Promise<{ readonly paid: boolean }> {
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
