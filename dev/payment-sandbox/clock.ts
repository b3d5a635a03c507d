import { periodStartOf, type SandboxModel } from './sandbox-model.js'
import type { SandboxSubscription } from './state.js'

const daySeconds = 86_400

/** The days after a failed payment on which it is retried; the subscription ends on the last. */
const retryDays = [3, 7, 10, 14]

/** Begins the next period, or ends a cancelled subscription. */
function renew(model: SandboxModel, subscription: SandboxSubscription): void {
  if (subscription.cancelAtPeriodEnd) {
    model.end(subscription)
    return
  }
  subscription.periods += 1
  subscription.periodStart = subscription.periodEnd
  subscription.periodEnd = periodStartOf(subscription, subscription.periods)
  const paid = model.state.customers[subscription.customer]?.paymentsSucceed !== false
  model.bill(subscription, paid)
  if (!paid) {
    subscription.status = 'past_due'
    subscription.retries = 0
    subscription.retryAt = subscription.periodStart + (retryDays[0] ?? 0) * daySeconds
  }
  model.changed(subscription)
}

/** Returns whether the overdue payment was made. */
export function payOverdue(model: SandboxModel, subscription: SandboxSubscription): boolean {
  if (subscription.status !== 'past_due') return false
  if (model.state.customers[subscription.customer]?.paymentsSucceed === false) return false
  const invoice = model.state.invoices[subscription.latestInvoice]
  if (invoice?.status === 'open') model.settleInvoice(invoice)
  Object.assign(subscription, { status: 'active', retryAt: null, retries: 0 })
  model.changed(subscription)
  return true
}

/** Retries an overdue payment, and gives up on the last day. */
function retry(model: SandboxModel, subscription: SandboxSubscription): void {
  if (payOverdue(model, subscription)) return
  subscription.retries += 1
  const day = retryDays[subscription.retries]
  if (day === undefined) model.end(subscription)
  else subscription.retryAt = subscription.periodStart + day * daySeconds
}

interface Due {
  readonly at: number
  readonly happen: () => void
}

function dueOf(model: SandboxModel, subscription: SandboxSubscription): Due | null {
  const { status, periodEnd, retryAt } = subscription
  if (status === 'past_due' && retryAt !== null && retryAt <= periodEnd)
    return { at: retryAt, happen: () => retry(model, subscription) }
  if (status !== 'active' && status !== 'past_due') return null
  return { at: periodEnd, happen: () => renew(model, subscription) }
}

function nextDue(model: SandboxModel): Due | null {
  const { checkouts, subscriptions } = model.state
  const due = [
    ...Object.values(subscriptions).map((subscription) => dueOf(model, subscription)),
    ...Object.values(checkouts)
      .filter(({ status }) => status === 'open')
      .map((checkout) => ({ at: checkout.expiresAt, happen: () => model.expire(checkout) })),
  ]
  return due.reduce<Due | null>(
    (first, one) => (one !== null && (first === null || one.at < first.at) ? one : first),
    null,
  )
}

/** Moves the clock, and makes everything happen that becomes due, in order. Returns whether anything did. */
export function passTime(model: SandboxModel, seconds = 0): boolean {
  const { state } = model
  const until = model.now() + seconds
  let happened = seconds > 0
  for (let due = nextDue(model); due !== null && due.at <= until; due = nextDue(model)) {
    const offset = state.clockOffset
    // The clock shows the due time while the event happens.
    state.clockOffset += due.at - model.now()
    due.happen()
    state.clockOffset = offset
    happened = true
  }
  state.clockOffset += seconds
  return happened
}
