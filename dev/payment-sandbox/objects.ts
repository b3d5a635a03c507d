import { sandboxPrices } from '#shared/sandbox-prices.js'
import type {
  SandboxCheckout,
  SandboxCustomer,
  SandboxInterval,
  SandboxInvoice,
  SandboxPortal,
  SandboxState,
  SandboxSubscription,
} from './state.js'

/** A JSON object of Stripe's API. */
export type StripeObject = Readonly<Record<string, unknown>> & {
  readonly id: string
  readonly object: string
}

/** The version of Stripe's API to which these objects conform. */
export const apiVersion = '2026-10-28.endive'

/** The prices of Pro, in cents. */
export const amounts: Readonly<Record<SandboxInterval, number>> = { month: 900, year: 9_000 }

const currency = 'eur'
const livemode = false

export function priceObject(interval: SandboxInterval): StripeObject {
  return {
    id: sandboxPrices[interval],
    object: 'price',
    active: true,
    currency,
    unit_amount: amounts[interval],
    type: 'recurring',
    recurring: { interval, interval_count: 1, usage_type: 'licensed' },
    livemode,
  }
}

export function customerObject({ id, email, metadata, created }: SandboxCustomer): StripeObject {
  return { id, object: 'customer', email, metadata, created, livemode }
}

/** Has the URL of its page only while it can be paid. */
export function checkoutObject(checkout: SandboxCheckout, publicUrl: string): StripeObject {
  const { id, status, customer, metadata, created, subscription } = checkout
  return {
    id,
    object: 'checkout.session',
    mode: 'subscription',
    status,
    payment_status: status === 'complete' ? 'paid' : 'unpaid',
    url: status === 'open' ? `${publicUrl}/pay/${id}` : null,
    customer,
    client_reference_id: checkout.clientReference,
    metadata,
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    expires_at: checkout.expiresAt,
    subscription,
    created,
    livemode,
  }
}

export function invoiceObject(invoice: SandboxInvoice): StripeObject {
  const { id, customer, status, amount, created, subscription, paidAt } = invoice
  return {
    id,
    object: 'invoice',
    customer,
    status,
    currency,
    amount_due: amount,
    amount_paid: status === 'paid' ? amount : 0,
    created,
    status_transitions: {
      finalized_at: created,
      paid_at: paidAt,
      voided_at: null,
      marked_uncollectible_at: null,
    },
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata: {} } },
    livemode,
  }
}

/** Only for a paid invoice. */
export function invoicePaymentObject({ id, amount, paymentIntent }: SandboxInvoice): StripeObject {
  return {
    id: `inpay_${id}`,
    object: 'invoice_payment',
    invoice: id,
    status: 'paid',
    amount_paid: amount,
    amount_requested: amount,
    currency,
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    livemode,
  }
}

/** With the whole latest invoice if that was requested, else with its id. */
export function subscriptionObject(
  state: SandboxState,
  subscription: SandboxSubscription,
  expand: readonly string[] = [],
): StripeObject {
  const { id, customer, status, interval, metadata, created, latestInvoice, otherPrice } = subscription
  const invoice = state.invoices[latestInvoice]
  return {
    id,
    object: 'subscription',
    customer,
    status,
    currency,
    created,
    start_date: created,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancel_at: subscription.cancelAtPeriodEnd ? subscription.periodEnd : null,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    metadata,
    latest_invoice:
      expand.includes('latest_invoice') && invoice !== undefined ? invoiceObject(invoice) : latestInvoice,
    items: {
      object: 'list',
      data: [
        {
          id: `si_${id}`,
          object: 'subscription_item',
          price: { ...priceObject(interval), ...(otherPrice === undefined ? {} : { id: otherPrice }) },
          quantity: 1,
          current_period_start: subscription.periodStart,
          current_period_end: subscription.periodEnd,
        },
      ],
      has_more: false,
    },
    livemode,
  }
}

export function portalObject({ id, customer, returnUrl }: SandboxPortal, publicUrl: string): StripeObject {
  return {
    id,
    object: 'billing_portal.session',
    customer,
    return_url: returnUrl,
    url: `${publicUrl}/portal/${id}`,
    livemode,
  }
}
