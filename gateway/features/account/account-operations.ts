import { randomUUID } from 'node:crypto'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { type PlanCatalogue, type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import { planMessage } from '#shared/plan-messages.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { type Caller, shortCall } from '../../request/request-context.js'
import type { Upstreams } from '../../upstreams.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { createPriceCache } from '../subscriptions/price-cache.js'
import { intervalResponse } from '../subscriptions/subscription-schemas.js'
import * as schemas from './account-schemas.js'

/** `null` means unlimited. */
function planLimits(limits: PlanLimits): Record<string, number | null> {
  return {
    data_bytes: limits.dataBytes,
    snippets: limits.snippets,
    revisions: limits.revisions,
    shares: limits.shares,
    stored_bytes: limits.storedBytes,
    share_ttl_days: limits.shareTtlDays,
    history: limits.history,
    api_keys: limits.apiKeys,
    trusted_publishers: limits.trustedPublishers,
  }
}

function priceResponse({ interval, currency, amountMinor }: Price): Record<string, string | number> {
  return { interval: intervalResponse(interval), currency, amount: amountMinor }
}

/** A plan that is not for sale here has no prices. */
function planList(
  plans: PlanCatalogue,
  everyoneIsPro: boolean,
  pricesOfPro: readonly Price[],
): { plans: unknown[] } {
  const order: readonly PlanName[] = everyoneIsPro ? ['pro'] : ['free', 'pro']
  return {
    plans: order.map((id) => ({
      id,
      name: planTitles[id],
      limits: planLimits(plans[id]),
      prices: id === 'pro' ? pricesOfPro.map(priceResponse) : [],
    })),
  }
}

/** The longest time that a caller waits for prices. */
const pricesTimeoutMs = 1_000

async function readUsage(
  { usage, history, apiKeys, trustedPublishers }: Upstreams,
  { accountId, plan }: Caller,
  context: CallContext,
): Promise<Record<string, number>> {
  const counted = { ownerId: accountId, plan: planMessage(plan) }
  const [content, activity, keys, rules] = await Promise.all([
    callUnary(usage, usage.getUsage, { ownerId: accountId }, context),
    callUnary(history, history.countEntries, counted, context),
    callUnary(apiKeys, apiKeys.listApiKeys, { accountId }, context),
    callUnary(trustedPublishers, trustedPublishers.listTrustedPublishers, { accountId }, context),
  ])
  return {
    snippets: content.snippets,
    shares: content.shares,
    stored_bytes: content.storedBytes,
    history: activity.entries,
    api_keys: keys.apiKeys.length,
    trusted_publishers: rules.trustedPublishers.length,
  }
}

export function accountOperations({
  upstreams,
  plans,
  everyoneIsPro,
}: Pick<FeatureDependencies, 'everyoneIsPro' | 'plans' | 'upstreams'>): readonly Operation[] {
  const { subscriptions } = upstreams
  const prices = createPriceCache(
    async () => {
      const context = { requestId: randomUUID(), timeoutMs: pricesTimeoutMs }
      return (await callUnary(subscriptions, subscriptions.listPrices, {}, context)).prices
    },
    () => performance.now(),
  )
  return [
    {
      method: 'get',
      path: '/api/auth/profile',
      operationId: 'getProfile',
      group: 'Account',
      access: 'account',
      summary: 'Get your profile, plan, limits and usage',
      description: 'With an API key or an access token, the profile of its owner.',
      responses: { 200: { description: 'Your profile.', schema: schemas.profile } },
      refusals: [],
      async handle(context, caller) {
        const usage = await readUsage(upstreams, caller, shortCall(context))
        sendJson(context.response, 200, {
          id: caller.accountId,
          email: caller.email,
          email_verified: caller.emailVerified,
          name: caller.name,
          picture: caller.picture,
          plan: caller.plan,
          limits: planLimits(plans[caller.plan]),
          usage,
          created_at: caller.createdAt.toISOString(),
          operator: caller.isOperator === true,
        })
      },
    },
    {
      method: 'get',
      path: '/api/plans',
      operationId: 'listPlans',
      group: 'Account',
      access: 'public',
      summary: 'List plans with limits and prices',
      description: 'What each plan allows. Without billing there are no prices.',
      responses: { 200: { description: 'All plans.', schema: schemas.planList } },
      refusals: [],
      async handle({ response }) {
        const list = planList(plans, everyoneIsPro, everyoneIsPro ? [] : await prices())
        sendJson(response, 200, list, { 'Cache-Control': 'public, max-age=60' })
      },
    },
  ]
}
