import {
  BillingInterval,
  type GetSubscriptionResponse,
  SubscriptionStatus,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'

const statuses: ReadonlyMap<SubscriptionStatus, string> = new Map([
  [SubscriptionStatus.SUBSCRIPTION_STATUS_INCOMPLETE, 'incomplete'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_TRIALING, 'trialing'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_ACTIVE, 'active'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_PAST_DUE, 'past_due'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_UNPAID, 'unpaid'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_PAUSED, 'paused'],
  [SubscriptionStatus.SUBSCRIPTION_STATUS_CANCELED, 'canceled'],
])

export function intervalResponse(interval: BillingInterval): 'month' | 'year' {
  return interval === BillingInterval.BILLING_INTERVAL_YEAR ? 'year' : 'month'
}

export function subscriptionResponse({
  plan,
  subscription,
  grantedUntil,
}: GetSubscriptionResponse): Record<string, string | boolean | null> {
  return {
    plan: plan === Plan.PLAN_PRO ? 'pro' : 'free',
    status: subscription === undefined ? 'none' : (statuses.get(subscription.status) ?? 'none'),
    interval: subscription === undefined ? null : intervalResponse(subscription.interval),
    current_period_end: subscription?.currentPeriodEnd?.toISOString() ?? null,
    cancel_at_period_end: subscription?.cancelAtPeriodEnd ?? false,
    granted_until: grantedUntil?.toISOString() ?? null,
  }
}
