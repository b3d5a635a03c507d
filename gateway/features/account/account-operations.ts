import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { planMessage } from '#shared/plan-messages.js'
import type { Operation } from '../../http/operation.js'
import { sendJson } from '../../http/responses.js'
import { type Caller, shortCall } from '../../request/request-context.js'
import type { Upstreams } from '../../upstreams.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import * as schemas from './account-schemas.js'
import { planLimits } from './plan-list.js'

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
    // Content of the previous release does not say.
    contracts: content.contracts ?? 0,
  }
}

export function accountOperations({
  upstreams,
  plans,
  listPlans,
}: Pick<FeatureDependencies, 'listPlans' | 'plans' | 'upstreams'>): readonly Operation[] {
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
        sendJson(response, 200, await listPlans(), { 'Cache-Control': 'public, max-age=60' })
      },
    },
  ]
}
