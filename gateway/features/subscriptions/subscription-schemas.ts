import { z } from 'zod'
import {
  BillingInterval,
  type GetSubscriptionResponse,
  SubscriptionStatus,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { timestamp } from '../schemas.js'

const interval = z.enum(['month', 'year'], 'must be month or year')

const returnUrl = z.string().min(1, 'must not be empty').max(2_048, 'must be at most 2048 characters')

export const newCheckout = z.strictObject({
  interval: interval.meta({ description: 'Billing interval.', example: 'month' }),
  success_url: returnUrl.optional().meta({
    format: 'uri',
    description: 'Where to send the browser after payment; must be a page of the web application.',
  }),
  cancel_url: returnUrl.optional().meta({
    format: 'uri',
    description: 'Where to send the browser after cancelling; must be a page of the web application.',
  }),
})

/** The body of a request without fields. */
export const nothing = z.strictObject({})

export const checkout = z.object({ id: z.string(), checkout_url: z.url() }).meta({ id: 'Checkout' })

/** The payment provider's portal. */
export const portal = z.object({ portal_url: z.url() }).meta({ id: 'Portal' })

export const subscription = z
  .object({
    plan: z.enum(['free', 'pro']),
    status: z
      .enum(['none', 'incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'])
      .describe('`none` if you never subscribed; `past_due` keeps Pro for seven days.'),
    interval: interval.nullable(),
    current_period_end: timestamp.nullable(),
    cancel_at_period_end: z.boolean(),
    granted_until: timestamp
      .nullable()
      .describe('Until when an operator gave you Pro, besides any subscription.'),
  })
  .meta({ id: 'Subscription' })

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
