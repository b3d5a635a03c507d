import type { SandboxSubscription } from './state.js'
import { periodStartOf, type SandboxWorld } from './world.js'

const daySeconds = 86_400

/** Days after a failed payment on which it is tried again; on the last it is given up and the subscription ends. */
const retryDays = [3, 7, 10, 14]

/** Begins the next period, or ends the subscription, at the end of the one before. */
function renew(world: SandboxWorld, subscription: SandboxSubscription): void {
  if (subscription.cancelAtPeriodEnd) {
    world.end(subscription)
    return
  }
  subscription.periods += 1
  subscription.periodStart = subscription.periodEnd
  subscription.periodEnd = periodStartOf(subscription, subscription.periods)
  const paid = world.state.customers[subscription.customer]?.paymentsSucceed !== false
  world.bill(subscription, paid)
  if (!paid) {
    subscription.status = 'past_due'
    subscription.retries = 0
    subscription.retryAt = subscription.periodStart + (retryDays[0] ?? 0) * daySeconds
  }
  world.changed(subscription)
}

/** Pays what is overdue, if the customer's payments go through; whether it did. */
export function payOverdue(world: SandboxWorld, subscription: SandboxSubscription): boolean {
  if (subscription.status !== 'past_due') return false
  if (world.state.customers[subscription.customer]?.paymentsSucceed === false) return false
  const invoice = world.state.invoices[subscription.latestInvoice]
  if (invoice?.status === 'open') world.settleInvoice(invoice)
  Object.assign(subscription, { status: 'active', retryAt: null, retries: 0 })
  world.changed(subscription)
  return true
}

/** Tries an overdue payment again, and gives up on the last day. */
function retry(world: SandboxWorld, subscription: SandboxSubscription): void {
  if (payOverdue(world, subscription)) return
  subscription.retries += 1
  const day = retryDays[subscription.retries]
  if (day === undefined) world.end(subscription)
  else subscription.retryAt = subscription.periodStart + day * daySeconds
}

interface Due {
  readonly at: number
  readonly happen: () => void
}

function dueOf(world: SandboxWorld, subscription: SandboxSubscription): Due | null {
  const { status, periodEnd, retryAt } = subscription
  if (status === 'past_due' && retryAt !== null && retryAt <= periodEnd)
    return { at: retryAt, happen: () => retry(world, subscription) }
  if (status !== 'active' && status !== 'past_due') return null
  return { at: periodEnd, happen: () => renew(world, subscription) }
}

function nextDue(world: SandboxWorld): Due | null {
  const { checkouts, subscriptions } = world.state
  const due = [
    ...Object.values(subscriptions).map((subscription) => dueOf(world, subscription)),
    ...Object.values(checkouts)
      .filter(({ status }) => status === 'open')
      .map((checkout) => ({ at: checkout.expiresAt, happen: () => world.expire(checkout) })),
  ]
  return due.reduce<Due | null>(
    (first, one) => (one !== null && (first === null || one.at < first.at) ? one : first),
    null,
  )
}

/** Lets everything happen that is due by now, in its order and at its time; whether anything did. */
export function passTime(world: SandboxWorld, seconds = 0): boolean {
  const { state } = world
  const until = world.now() + seconds
  let happened = seconds > 0
  for (let due = nextDue(world); due !== null && due.at <= until; due = nextDue(world)) {
    const offset = state.clockOffset
    // Whatever happens looks at the clock, which stands at its moment meanwhile.
    state.clockOffset += due.at - world.now()
    due.happen()
    state.clockOffset = offset
    happened = true
  }
  state.clockOffset += seconds
  return happened
}
