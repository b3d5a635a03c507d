import { z } from 'zod'
import { callUnary } from '#libs/grpc/call.js'
import {
  BillingInterval,
  type GetSubscriptionResponse,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { receiveFields } from '../../body/receive-body.js'
import { announcesBody } from '../../http/connections.js'
import type { Operation } from '../../http/operation.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import {
  type Caller,
  type PublicHandler,
  type RequestContext,
  shortCall,
} from '../../request/request-context.js'
import { readIdempotencyKey } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { replayed as headers, repeatable } from '../shared-descriptions.js'
import * as schemas from './subscription-schemas.js'
import { subscriptionResponse } from './subscription-schemas.js'

const group = 'Subscription'
const own = '/api/subscription'
const read = { group, access: 'identity-token' } as const
const change = { ...read, method: 'post', rate: 'creates' } as const
const changed = { 200: { description: 'Your subscription.', schema: schemas.subscription } }

const intervalMessage = {
  month: BillingInterval.BILLING_INTERVAL_MONTH,
  year: BillingInterval.BILLING_INTERVAL_YEAR,
} as const

/** No operation on subscriptions accepts an API key. */
export function subscriptionOperations(
  dependencies: Pick<FeatureDependencies, 'forgetCaller' | 'uploads' | 'upstreams'>,
  webhook: PublicHandler,
): readonly Operation[] {
  const { subscriptions: client } = dependencies.upstreams

  /** Sends a subscription, and drops the caller from the cache if its plan differs. */
  const send = (
    { response }: RequestContext,
    { accountId, plan }: Caller,
    found: GetSubscriptionResponse,
  ): void => {
    const body = subscriptionResponse(found)
    if (body.plan !== plan) dependencies.forgetCaller(accountId)
    sendJson(response, 200, body)
  }

  /** Reads an optional body, which must be empty or an empty object. */
  const receiveNothing = async (context: RequestContext): Promise<void> => {
    if (announcesBody(context.request))
      await receiveFields(dependencies, context, { fields: schemas.nothing, repeatable: false })
  }

  return [
    {
      ...read,
      method: 'get',
      path: own,
      operationId: 'getSubscription',
      summary: 'Get your subscription',
      description: 'Returns the last known state without waiting for the payment provider.',
      responses: changed,
      refusals: [403],
      async handle(context, caller) {
        const { accountId } = caller
        const found = await callUnary(client, client.getSubscription, { accountId }, shortCall(context))
        send(context, caller, found)
      },
    },
    {
      ...change,
      path: `${own}/checkout`,
      operationId: 'startCheckout',
      summary: 'Start a checkout',
      description:
        'Returns the open checkout if there is one. Responds 409 if you, or another account with your verified email address, already have a subscription.',
      requestHeaders: repeatable,
      body: { fields: schemas.newCheckout, withData: 'none' },
      responses: {
        200: { description: 'The checkout that is already open.', schema: schemas.checkout, headers },
        201: { description: 'A new checkout.', schema: schemas.checkout, headers },
      },
      refusals: [400, 403, 409, 413, 415],
      async handle(context, { accountId, email, emailVerified }) {
        const options = { fields: schemas.newCheckout, repeatable: true }
        const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
        const { interval, success_url: successUrl, cancel_url: cancelUrl } = fields
        const request = {
          ...{ accountId, email: email ?? undefined, emailVerified, idempotencyKey },
          ...{ interval: intervalMessage[interval], successUrl, cancelUrl },
        }
        const started = await callUnary(client, client.startCheckout, request, shortCall(context))
        const body = { id: started.id, checkout_url: started.checkoutUrl }
        sendJson(context.response, started.created ? 201 : 200, body, replayedHeader(started.replayed))
      },
    },
    {
      ...change,
      path: `${own}/portal`,
      operationId: 'openPortal',
      summary: 'Open the billing portal (invoices and payment methods)',
      description: 'Returns the URL of a page at the payment provider.',
      requestHeaders: repeatable,
      responses: { 201: { description: 'The billing portal.', schema: schemas.portal, headers } },
      refusals: [400, 403, 404, 409, 413, 415],
      async handle(context, { accountId }) {
        await receiveNothing(context)
        const request = { accountId, idempotencyKey: readIdempotencyKey(context) }
        const { portalUrl, replayed } = await callUnary(
          client,
          client.openPortal,
          request,
          shortCall(context),
        )
        sendJson(context.response, 201, { portal_url: portalUrl }, replayedHeader(replayed))
      },
    },
    {
      ...change,
      path: `${own}/cancel`,
      operationId: 'cancelSubscription',
      summary: 'Cancel your subscription at the end of the period',
      description: 'You keep Pro until then, and may resume the subscription as long.',
      responses: changed,
      refusals: [400, 403, 404, 413, 415],
      async handle(context, caller) {
        await receiveNothing(context)
        const { accountId } = caller
        const found = await callUnary(client, client.cancelSubscription, { accountId }, shortCall(context))
        send(context, caller, found)
      },
    },
    {
      ...change,
      path: `${own}/resume`,
      operationId: 'resumeSubscription',
      summary: 'Resume a cancelled subscription',
      description: 'Possible until the current period ends.',
      responses: changed,
      refusals: [400, 403, 404, 413, 415],
      async handle(context, caller) {
        await receiveNothing(context)
        const { accountId } = caller
        const found = await callUnary(client, client.resumeSubscription, { accountId }, shortCall(context))
        send(context, caller, found)
      },
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
