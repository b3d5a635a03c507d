import { randomBytes } from 'node:crypto'
import {
  amounts,
  apiVersion,
  checkoutObject,
  customerObject,
  invoiceObject,
  type StripeObject,
  subscriptionObject,
} from './objects.js'
import type {
  SandboxCheckout,
  SandboxCustomer,
  SandboxInvoice,
  SandboxPortal,
  SandboxState,
  SandboxSubscription,
} from './state.js'

/** How long a checkout can be paid, as with Stripe. */
const checkoutSeconds = 86_400

export type CheckoutDraft = Omit<SandboxCheckout, 'id' | 'created' | 'expiresAt' | 'status' | 'subscription'>

/** The state, its clock, and all changes to it. The caller must save the state afterwards. */
export interface SandboxModel {
  readonly state: SandboxState
  readonly publicUrl: string
  /** Seconds since 1970 by the sandbox's clock. */
  now(): number
  createCustomer(email: string | null, metadata: Readonly<Record<string, string>>): SandboxCustomer
  /** Ends all subscriptions of the customer; invoices stay. */
  deleteCustomer(customer: SandboxCustomer): void
  createCheckout(draft: CheckoutDraft): SandboxCheckout
  /** Returns false if the checkout is not open, or the customer's payments fail. */
  pay(checkout: SandboxCheckout): boolean
  expire(checkout: SandboxCheckout): void
  createPortal(customer: string, returnUrl: string): SandboxPortal
  setCancelAtPeriodEnd(subscription: SandboxSubscription, cancel: boolean): void
  /** Ends a subscription immediately. */
  end(subscription: SandboxSubscription): void
  /** Creates an invoice of the current period. */
  bill(subscription: SandboxSubscription, paid: boolean): SandboxInvoice
  settleInvoice(invoice: SandboxInvoice): void
  /** Emits the event of a changed subscription. */
  changed(subscription: SandboxSubscription): void
  /** Queues an event for delivery. */
  emit(type: string, object: StripeObject): void
}

/** The same day this many months later, or the last day of a shorter month. */
export function monthsLater(seconds: number, months: number): number {
  const start = new Date(seconds * 1_000)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0)).getUTCDate()
  const end = new Date(start)
  end.setUTCMonth(start.getUTCMonth() + months, Math.min(start.getUTCDate(), lastDay))
  return Math.floor(end.getTime() / 1_000)
}

/** The start of the next period after this many periods. */
export function periodStartOf({ created, interval }: SandboxSubscription, periods: number): number {
  return monthsLater(created, periods * (interval === 'year' ? 12 : 1))
}

/**
 * @param realNowMs the real clock, in milliseconds since 1970.
 */
export function createSandboxModel(
  state: SandboxState,
  publicUrl: string,
  realNowMs: () => number,
): SandboxModel {
  const newId = (prefix: string): string => {
    state.lastNumber += 1
    return `${prefix}_${state.lastNumber.toString(36).padStart(6, '0')}${randomBytes(9).toString('hex')}`
  }
  const model: SandboxModel = {
    state,
    publicUrl,
    now: () => Math.floor(realNowMs() / 1_000) + state.clockOffset,
    createCustomer(email, metadata) {
      const customer = { id: newId('cus'), email, metadata, created: model.now(), paymentsSucceed: true }
      state.customers[customer.id] = customer
      model.emit('customer.created', customerObject(customer))
      return customer
    },
    deleteCustomer(customer) {
      for (const subscription of Object.values(state.subscriptions))
        if (subscription.customer === customer.id && subscription.status !== 'canceled')
          model.end(subscription)
      for (const checkout of Object.values(state.checkouts))
        if (checkout.customer === customer.id) model.expire(checkout)
      delete state.customers[customer.id]
      model.emit('customer.deleted', customerObject(customer))
    },
    createCheckout(draft) {
      const created = model.now()
      const times = { created, expiresAt: created + checkoutSeconds }
      const checkout: SandboxCheckout = {
        ...draft,
        ...times,
        id: newId('cs_test'),
        status: 'open',
        subscription: null,
      }
      state.checkouts[checkout.id] = checkout
      return checkout
    },
    pay(checkout) {
      if (checkout.status !== 'open') return false
      if (state.customers[checkout.customer]?.paymentsSucceed === false) return false
      const { customer, interval, subscriptionMetadata: metadata } = checkout
      const created = model.now()
      const subscription: SandboxSubscription = {
        id: newId('sub'),
        customer,
        interval,
        metadata,
        created,
        status: 'active',
        periods: 1,
        periodStart: created,
        periodEnd: monthsLater(created, interval === 'year' ? 12 : 1),
        cancelAtPeriodEnd: false,
        canceledAt: null,
        endedAt: null,
        latestInvoice: '',
        retryAt: null,
        retries: 0,
      }
      state.subscriptions[subscription.id] = subscription
      model.bill(subscription, true)
      checkout.status = 'complete'
      checkout.subscription = subscription.id
      model.emit('customer.subscription.created', subscriptionObject(state, subscription))
      model.emit('checkout.session.completed', checkoutObject(checkout, publicUrl))
      return true
    },
    expire(checkout) {
      if (checkout.status !== 'open') return
      checkout.status = 'expired'
      model.emit('checkout.session.expired', checkoutObject(checkout, publicUrl))
    },
    createPortal(customer, returnUrl) {
      const portal = { id: newId('bps'), customer, returnUrl }
      state.portals[portal.id] = portal
      return portal
    },
    setCancelAtPeriodEnd(subscription, cancel) {
      subscription.cancelAtPeriodEnd = cancel
      subscription.canceledAt = cancel ? model.now() : null
      model.changed(subscription)
    },
    end(subscription) {
      const now = model.now()
      Object.assign(subscription, { status: 'canceled', endedAt: now, retryAt: null })
      subscription.canceledAt ??= now
      const invoice = state.invoices[subscription.latestInvoice]
      if (invoice?.status === 'open') invoice.status = 'uncollectible'
      model.emit('customer.subscription.deleted', subscriptionObject(state, subscription))
    },
    bill(subscription, paid) {
      const { id, customer, interval } = subscription
      const invoice: SandboxInvoice = {
        id: newId('in'),
        customer,
        subscription: id,
        amount: amounts[interval],
        created: subscription.periodStart,
        status: 'open',
        paymentIntent: null,
        paidAt: null,
        refunded: 0,
      }
      state.invoices[invoice.id] = invoice
      subscription.latestInvoice = invoice.id
      if (paid) model.settleInvoice(invoice)
      else model.emit('invoice.payment_failed', invoiceObject(invoice))
      return invoice
    },
    settleInvoice(invoice) {
      Object.assign(invoice, { status: 'paid', paymentIntent: newId('pi'), paidAt: model.now() })
      model.emit('invoice.paid', invoiceObject(invoice))
    },
    changed(subscription) {
      model.emit('customer.subscription.updated', subscriptionObject(state, subscription))
    },
    emit(type, object) {
      const id = newId('evt')
      const event = {
        id,
        object: 'event',
        api_version: apiVersion,
        created: model.now(),
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type,
        data: { object },
      }
      const delivery = { delivered: false, attempts: 0, nextAttemptMs: realNowMs() }
      state.events[id] = { id, type, body: JSON.stringify(event), ...delivery }
    },
  }
  return model
}
