import type Stripe from 'stripe'
import { expectObject, hasCode, isMissing, isRefusal, isStoredFailure } from './stripe-client.js'

/** Cancels the subscription now, without a final invoice; does nothing if it has ended or does not exist. */
export async function endStripeSubscription(stripe: Stripe, id: string): Promise<void> {
  try {
    const ended = await stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })
    expectObject(ended, 'subscription')
  } catch (error) {
    if (isMissing(error)) return
    if (!isRefusal(error)) throw error
    const { status } = expectObject(await stripe.subscriptions.retrieve(id), 'subscription')
    if (status !== 'canceled' && status !== 'incomplete_expired') throw error
  }
}

/** The payment of an invoice, as a refund refers to it; `null` if it was not made through Stripe. */
function refundable({ payment }: Stripe.InvoicePayment): Stripe.RefundCreateParams | null {
  const { payment_intent: intent, charge } = payment
  if (intent !== undefined) return { payment_intent: typeof intent === 'string' ? intent : intent.id }
  if (charge !== undefined) return { charge: typeof charge === 'string' ? charge : charge.id }
  return null
}

/**
 * Refunds the rest of a payment. Stripe never refunds more than was paid, so the second request, without the
 * key whose failure Stripe would replay, cannot refund twice either.
 */
async function refundPayment(stripe: Stripe, refund: Stripe.RefundCreateParams): Promise<void> {
  const idempotencyKey = `undo-${refund.payment_intent ?? refund.charge}`
  try {
    const made = await stripe.refunds.create(refund, { idempotencyKey }).catch((error: unknown) => {
      if (!isStoredFailure(error)) throw error
      return stripe.refunds.create(refund)
    })
    expectObject(made, 'refund')
  } catch (error) {
    // Already refunded, or disputed through the payer's bank.
    if (!hasCode(error, 'charge_already_refunded') && !hasCode(error, 'charge_disputed')) throw error
  }
}

async function paymentsOf(stripe: Stripe, id: string): Promise<readonly Stripe.InvoicePayment[]> {
  const payments: Stripe.InvoicePayment[] = []
  for await (const invoice of stripe.invoices.list({ subscription: id, limit: 100 })) {
    for await (const payment of stripe.invoicePayments.list({
      invoice: invoice.id,
      status: 'paid',
      limit: 100,
    })) {
      payments.push(payment)
    }
  }
  return payments
}

/** Cancels a subscription at once and fully refunds every payment of its invoices; safe to repeat. */
export async function undoStripeSubscription(stripe: Stripe, id: string): Promise<void> {
  await endStripeSubscription(stripe, id)
  const payments = await paymentsOf(stripe, id).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const payment of payments) {
    const refund = refundable(payment)
    if (refund !== null) await refundPayment(stripe, refund)
  }
}
