import {
  type CheckoutId,
  type CustomerId,
  checkoutId,
  customerId,
  type SubscriptionId,
  subscriptionId,
} from '../domain/ids.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import type { BillingInterval, Price, Subscription } from '../domain/subscription.js'
import type { CheckoutOrder, CheckoutSession } from '../ports.js'

/** How long a checkout can be paid, in milliseconds. */
const checkoutMs = 86_400_000

/** A checkout at the provider. */
export interface KeptCheckout {
  readonly order: CheckoutOrder
  readonly session: CheckoutSession
  state: 'open' | 'paid' | 'expired'
}

/** A subscription at the provider. */
export interface KeptSubscription {
  now: Subscription
  /** The number of periods begun. */
  periods: number
  /** The amount paid and not refunded. */
  keptMinor: number
  /** Whether it is for something other than Pro. */
  elsewhere: boolean
}

/** The state of a payment provider, with a clock that only `passTime` moves. */
export interface MemoryPaymentFixture {
  readonly prices: readonly Price[]
  readonly customers: Set<CustomerId>
  readonly checkouts: Map<CheckoutId, KeptCheckout>
  readonly subscriptions: Map<SubscriptionId, KeptSubscription>
  /** All emitted events, in order. */
  readonly events: readonly ProviderEvent[]
  now(): Date
  /** Advances the clock, and renews, ends or expires what is due. */
  passTime(ms: number): void
  makeCustomer(): CustomerId
  openCheckout(order: CheckoutOrder): CheckoutSession
  /** Pays an open checkout. */
  pay(id: CheckoutId): SubscriptionId
  /**
   * Makes the customer's payments succeed or fail; when they succeed again, overdue ones are paid at once.
   */
  setPayments(customerId: CustomerId, succeed: boolean): void
  /** Changes a subscription as the provider itself would, and emits the event. */
  change(id: SubscriptionId, change: Partial<Subscription>): Subscription
  /** Turns a subscription into one for something other than Pro, and emits the event. */
  sellElse(id: SubscriptionId): void
  /** Adds a subscription for something else to the customer of `beside`, and emits the event. */
  addElse(id: SubscriptionId, beside: SubscriptionId): void
  /** Closes an open checkout, and emits the event. */
  expire(id: CheckoutId): void
}

/** The day of the start, `count` periods later, or the last day of a shorter month. */
function periodEnd(start: Date, interval: BillingInterval, count: number): Date {
  const months = start.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const end = new Date(start)
  end.setUTCMonth(months, Math.min(start.getUTCDate(), lastDay))
  return end
}

/** A provider without any payments. */
export function memoryPaymentFixture(startMs = Date.UTC(2030, 0, 1)): MemoryPaymentFixture {
  let time = startMs
  let numbers = 0
  const failing = new Set<CustomerId>()
  const events: ProviderEvent[] = []
  const checkouts = new Map<CheckoutId, KeptCheckout>()
  const subscriptions = new Map<SubscriptionId, KeptSubscription>()
  const customers = new Set<CustomerId>()
  const nextNumber = () => ++numbers
  const prices: readonly Price[] = [
    { interval: 'month', currency: 'eur', amountMinor: 500 },
    { interval: 'year', currency: 'eur', amountMinor: 5_000 },
  ]
  const amountOf = (interval: BillingInterval) =>
    prices.find((price) => price.interval === interval)?.amountMinor ?? 0

  const emit = (
    type: string,
    about: Partial<Pick<ProviderEvent, 'subscriptionId' | 'checkoutId'>>,
    customerId: CustomerId,
  ) => {
    const id = `evt_${nextNumber()}`
    events.push({ id, type, modeMatches: true, customerId, subscriptionId: null, checkoutId: null, ...about })
  }

  const kept = (id: SubscriptionId): KeptSubscription => {
    const found = subscriptions.get(id)
    if (found === undefined) throw new Error(`there is no subscription ${id}`)
    return found
  }

  const change = (id: SubscriptionId, changes: Partial<Subscription>): Subscription => {
    const found = kept(id)
    found.now = { ...found.now, ...changes }
    const type = found.now.status === 'canceled' ? 'deleted' : 'updated'
    emit(`customer.subscription.${type}`, { subscriptionId: id }, found.now.customerId)
    return found.now
  }

  /** Begins the next period or ends the subscription, as of the end of the previous one. */
  const renew = (found: KeptSubscription): void => {
    const { id, customerId, interval, startedAt, currentPeriodEnd, cancelAtPeriodEnd, overdueSince } =
      found.now
    if (cancelAtPeriodEnd) return void change(id, { status: 'canceled', overdueSince: null })
    found.periods += 1
    const next = { currentPeriodEnd: periodEnd(startedAt, interval, found.periods) }
    if (failing.has(customerId)) {
      return void change(id, { ...next, status: 'past_due', overdueSince: overdueSince ?? currentPeriodEnd })
    }
    found.keptMinor += amountOf(interval)
    change(id, { ...next, status: 'active' })
  }

  const expire = (id: CheckoutId): void => {
    const found = checkouts.get(id)
    if (found?.state !== 'open') return
    found.state = 'expired'
    emit('checkout.session.expired', { checkoutId: id }, found.order.customerId)
  }

  const isRenewed = ({ now }: KeptSubscription) =>
    (now.status === 'active' || now.status === 'past_due') && now.currentPeriodEnd.getTime() <= time

  return {
    prices,
    customers,
    checkouts,
    subscriptions,
    events,
    now: () => new Date(time),
    change,
    expire,
    sellElse(id) {
      kept(id).elsewhere = true
      change(id, {})
    },
    addElse(id, beside) {
      const like = kept(beside)
      subscriptions.set(id, { ...like, now: { ...like.now, id }, elsewhere: true })
      change(id, {})
    },
    makeCustomer() {
      const id = customerId(`cus_${nextNumber()}`)
      customers.add(id)
      return id
    },
    openCheckout(order) {
      const id = checkoutId(`cs_${nextNumber()}`)
      const session = { id, url: `https://payments.example/${id}`, expiresAt: new Date(time + checkoutMs) }
      checkouts.set(id, { order, session, state: 'open' })
      return session
    },
    passTime(ms) {
      time += ms
      for (const { session } of checkouts.values())
        if (session.expiresAt.getTime() <= time) expire(session.id)
      for (const found of subscriptions.values()) while (isRenewed(found)) renew(found)
    },
    pay(checkoutId) {
      const checkout = checkouts.get(checkoutId)
      if (checkout?.state !== 'open') throw new Error(`checkout ${checkoutId} is not open`)
      checkout.state = 'paid'
      const { customerId, interval } = checkout.order
      const id = subscriptionId(`sub_${nextNumber()}`)
      const startedAt = new Date(time)
      const now: Subscription = {
        id,
        customerId,
        status: 'active',
        interval,
        startedAt,
        currentPeriodEnd: periodEnd(startedAt, interval, 1),
        cancelAtPeriodEnd: false,
        overdueSince: null,
      }
      subscriptions.set(id, { now, periods: 1, keptMinor: amountOf(interval), elsewhere: false })
      emit('customer.subscription.created', { subscriptionId: id }, customerId)
      emit('checkout.session.completed', { subscriptionId: id, checkoutId }, customerId)
      return id
    },
    setPayments(customerId, succeed) {
      if (!succeed) return void failing.add(customerId)
      failing.delete(customerId)
      for (const found of subscriptions.values()) {
        if (found.now.customerId !== customerId || found.now.status !== 'past_due') continue
        found.keptMinor += amountOf(found.now.interval)
        change(found.now.id, { status: 'active', overdueSince: null })
      }
    },
  }
}
