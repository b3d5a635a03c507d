import { callUnary } from '#libs/grpc/call.js'
import {
  BillingInterval,
  type GetSubscriptionResponse,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { receiveFields } from '../../body/receive-body.js'
import { replayedHeader, sendJson } from '../../http/responses.js'
import { type Caller, type RequestContext, shortCall } from '../../request/request-context.js'
import { readIdempotencyKey } from '../../request/request-head.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { subscriptionResponse } from './subscription-response.js'
import * as schemas from './subscription-schemas.js'

const intervalMessage = {
  month: BillingInterval.BILLING_INTERVAL_MONTH,
  year: BillingInterval.BILLING_INTERVAL_YEAR,
} as const

/** What `subscriptionHandlers` need. */
export type SubscriptionDependencies = Pick<FeatureDependencies, 'forgetCaller' | 'uploads' | 'upstreams'>

/** The handlers of `/api/subscription`. */
export function subscriptionHandlers(dependencies: SubscriptionDependencies) {
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

  const isBodiless = ({ request: { headers } }: RequestContext): boolean =>
    (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined

  /** Reads an optional body, which must be empty or an empty object. */
  const receiveNothing = async (context: RequestContext): Promise<void> => {
    if (!isBodiless(context))
      await receiveFields(dependencies, context, { fields: schemas.nothing, repeatable: false })
  }

  return {
    async get(context: RequestContext, caller: Caller): Promise<void> {
      const { accountId } = caller
      send(
        context,
        caller,
        await callUnary(client, client.getSubscription, { accountId }, shortCall(context)),
      )
    },

    async checkout(context: RequestContext, caller: Caller): Promise<void> {
      const options = { fields: schemas.newCheckout, repeatable: true }
      const { fields, idempotencyKey } = await receiveFields(dependencies, context, options)
      const { id, checkoutUrl, created, replayed } = await callUnary(
        client,
        client.startCheckout,
        {
          accountId: caller.accountId,
          email: caller.email ?? undefined,
          emailVerified: caller.emailVerified,
          interval: intervalMessage[fields.interval],
          successUrl: fields.success_url,
          cancelUrl: fields.cancel_url,
          idempotencyKey,
        },
        shortCall(context),
      )
      sendJson(
        context.response,
        created ? 201 : 200,
        { id, checkout_url: checkoutUrl },
        replayedHeader(replayed),
      )
    },

    async portal(context: RequestContext, { accountId }: Caller): Promise<void> {
      await receiveNothing(context)
      const idempotencyKey = readIdempotencyKey(context)
      const request = { accountId, idempotencyKey }
      const { portalUrl, replayed } = await callUnary(client, client.openPortal, request, shortCall(context))
      sendJson(context.response, 201, { portal_url: portalUrl }, replayedHeader(replayed))
    },

    async cancel(context: RequestContext, caller: Caller): Promise<void> {
      await receiveNothing(context)
      const { accountId } = caller
      send(
        context,
        caller,
        await callUnary(client, client.cancelSubscription, { accountId }, shortCall(context)),
      )
    },

    async resume(context: RequestContext, caller: Caller): Promise<void> {
      await receiveNothing(context)
      const { accountId } = caller
      send(
        context,
        caller,
        await callUnary(client, client.resumeSubscription, { accountId }, shortCall(context)),
      )
    },
  }
}
