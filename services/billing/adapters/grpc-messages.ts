import {
  BillingInterval,
  type Subscription as SubscriptionMessage,
  SubscriptionStatus,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { planMessage } from '#shared/plan-messages.js'
import type { BillingAccount } from '../domain/billing-account.js'
import type {
  BillingInterval as Interval,
  SubscriptionStatus as Status,
  Subscription,
} from '../domain/subscription.js'

const statuses: Readonly<Record<Status, SubscriptionStatus>> = {
  incomplete: SubscriptionStatus.SUBSCRIPTION_STATUS_INCOMPLETE,
  trialing: SubscriptionStatus.SUBSCRIPTION_STATUS_TRIALING,
  active: SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE,
  past_due: SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE,
  unpaid: SubscriptionStatus.SUBSCRIPTION_STATUS_UNPAID,
  paused: SubscriptionStatus.SUBSCRIPTION_STATUS_PAUSED,
  canceled: SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELED,
}

export function intervalMessage(interval: Interval): BillingInterval {
  return interval === 'month' ? BillingInterval.BILLING_INTERVAL_MONTH : BillingInterval.BILLING_INTERVAL_YEAR
}

function subscriptionMessage(subscription: Subscription): SubscriptionMessage {
  const { status, interval, currentPeriodEnd, cancelAtPeriodEnd } = subscription
  return {
    status: statuses[status],
    interval: intervalMessage(interval),
    currentPeriodEnd,
    cancelAtPeriodEnd,
  }
}

/** An account's plan and subscription as a message. */
export function accountMessage({ plan, subscription, manualPlan }: BillingAccount) {
  return {
    plan: planMessage(plan),
    grantedUntil: manualPlan?.until,
    subscription: subscription === null ? undefined : subscriptionMessage(subscription),
  }
}
