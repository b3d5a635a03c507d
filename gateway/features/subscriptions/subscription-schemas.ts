import { z } from 'zod'
import { timestamp } from '../schemas.js'

const interval = z.enum(['month', 'year'], { error: 'must be month or year' })

const returnUrl = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(2_048, { error: 'must be at most 2048 characters' })

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
      .meta({
        description: '`none` if you never subscribed; `past_due` keeps Pro for seven days.',
      }),
    interval: interval.nullable(),
    current_period_end: timestamp.nullable(),
    cancel_at_period_end: z.boolean(),
    granted_until: timestamp.nullable().meta({
      description: 'Until when an operator gave you Pro, besides any subscription.',
    }),
  })
  .meta({ id: 'Subscription' })
