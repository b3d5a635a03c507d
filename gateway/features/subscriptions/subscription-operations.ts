import { z } from 'zod'
import type { Operation } from '../../http/operation.js'
import type { PublicHandler } from '../../request/request-context.js'
import { type SubscriptionDependencies, subscriptionHandlers } from './subscription-handlers.js'
import * as schemas from './subscription-schemas.js'

const repeatable = { 'Idempotency-Key': 'Makes the request safe to retry for 24 hours.' }
const replayed = { 'Idempotent-Replayed': '`true` when this repeats an earlier response.' }

/** No operation on subscriptions accepts an API key. */
export function subscriptionOperations(
  dependencies: SubscriptionDependencies,
  webhook: PublicHandler,
): readonly Operation[] {
  const handlers = subscriptionHandlers(dependencies)
  const group = 'Subscription'
  const access = 'identity-token'
  const own = '/api/subscription'
  const changed = { 200: { description: 'Your subscription.', schema: schemas.subscription } }
  return [
    {
      method: 'get',
      path: own,
      operationId: 'getSubscription',
      group,
      access,
      summary: 'Get your subscription',
      description: 'Returns the last known state without waiting for the payment provider.',
      responses: changed,
      refusals: [403],
      handle: handlers.get,
    },
    {
      method: 'post',
      path: `${own}/checkout`,
      operationId: 'startCheckout',
      group,
      access,
      rate: 'creates',
      summary: 'Start a checkout',
      description:
        'Returns the open checkout if there is one. Responds 409 if you, or another account with your verified email address, already have a subscription.',
      requestHeaders: repeatable,
      body: { fields: schemas.newCheckout, withData: 'none' },
      responses: {
        200: {
          description: 'The checkout that is already open.',
          schema: schemas.checkout,
          headers: replayed,
        },
        201: { description: 'A new checkout.', schema: schemas.checkout, headers: replayed },
      },
      refusals: [400, 403, 409, 413, 415],
      handle: handlers.checkout,
    },
    {
      method: 'post',
      path: `${own}/portal`,
      operationId: 'openPortal',
      group,
      access,
      rate: 'creates',
      summary: 'Open the billing portal (invoices and payment methods)',
      description: 'Returns the URL of a page at the payment provider.',
      requestHeaders: repeatable,
      responses: { 201: { description: 'The billing portal.', schema: schemas.portal, headers: replayed } },
      refusals: [400, 403, 404, 409, 413, 415],
      handle: handlers.portal,
    },
    {
      method: 'post',
      path: `${own}/cancel`,
      operationId: 'cancelSubscription',
      group,
      access,
      rate: 'creates',
      summary: 'Cancel your subscription at the end of the period',
      description: 'You keep Pro until then, and may resume the subscription as long.',
      responses: changed,
      refusals: [400, 403, 404, 413, 415],
      handle: handlers.cancel,
    },
    {
      method: 'post',
      path: `${own}/resume`,
      operationId: 'resumeSubscription',
      group,
      access,
      rate: 'creates',
      summary: 'Resume a cancelled subscription',
      description: 'Possible until the current period ends.',
      responses: changed,
      refusals: [400, 403, 404, 413, 415],
      handle: handlers.resume,
    },
    {
      method: 'post',
      path: '/api/webhooks/stripe',
      anyParameter: true,
      operationId: 'takeStripeEvent',
      group,
      access: 'public',
      rate: 'forgeries',
      summary: 'Receive a signed event (for the payment provider)',
      description:
        'At most 1 MiB. Signed events are never rate limited; events with an invalid signature count towards `strict` for the client IP. A missing or malformed signature, or one more than 300 s off, is rejected before the body is read.',
      curl: null,
      requestHeaders: { 'Stripe-Signature': 'Signature of the raw body.' },
      responses: { 200: { description: 'Event stored.', schema: z.object({ received: z.literal(true) }) } },
      refusals: [400, 408, 413, 503],
      handle: webhook,
    },
  ]
}
