import { z } from 'zod'
import type { PublicHandler } from '../../http/exchange.js'
import type { Operation } from '../../http/operation.js'
import type { RouteParts } from '../feature-dependencies.js'
import { subscriptionHandlers } from './subscription-handlers.js'
import * as schemas from './subscription-schemas.js'

const repeatable = { 'Idempotency-Key': 'Makes the request safe to repeat for 24 hours.' }
const replayed = { 'Idempotent-Replayed': '`true` when this is an earlier answer again.' }

/** The operations on the caller's subscription; none of them can be done with an API key. */
export function subscriptionOperations(parts: RouteParts, webhook: PublicHandler): readonly Operation[] {
  const handlers = subscriptionHandlers(parts)
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
      summary: 'Your subscription to Pro',
      description: 'As it was last known; it never waits for the payment provider.',
      answers: changed,
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
      summary: 'Get a page to subscribe on',
      description:
        'The same page as before while it is open. Refused when you, or another account with your verified e-mail address, are subscribed already.',
      requestHeaders: repeatable,
      body: { fields: schemas.newCheckout, withData: 'none' },
      answers: {
        200: { description: 'The page that is open already.', schema: schemas.checkout, headers: replayed },
        201: { description: 'A new page.', schema: schemas.checkout, headers: replayed },
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
      summary: 'Get a page with your invoices and means of payment',
      requestHeaders: repeatable,
      answers: { 201: { description: 'The page.', schema: schemas.portal, headers: replayed } },
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
      summary: 'Let your subscription end with its period',
      answers: changed,
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
      summary: 'Let a cancelled subscription go on',
      description: 'Possible until its period ends.',
      answers: changed,
      refusals: [400, 403, 404, 413, 415],
      handle: handlers.resume,
    },
    {
      method: 'post',
      path: '/api/webhooks/stripe',
      operationId: 'takeStripeEvent',
      group,
      access: 'public',
      rate: 'forgeries',
      summary: 'For the payment provider: take a signed event',
      description:
        'At most 1 MiB. Signed events are never limited; those whose signature is refused count for `strict`, by client address. One whose signature cannot be good, because it is missing, malformed or more than 300 s from now, is refused before its body is read.',
      requestHeaders: { 'Stripe-Signature': 'The signature over the raw body.' },
      answers: { 200: { description: 'It is kept.', schema: z.object({ received: z.literal(true) }) } },
      refusals: [400, 408, 413, 503],
      handle: webhook,
    },
  ]
}
