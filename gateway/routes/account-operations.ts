import { callUnary } from '#libs/grpc/call.js'
import { planLimits, planList } from '../answers/plan-answer.js'
import { sendJson } from '../answers/send-json.js'
import { shortCall } from '../call-context.js'
import type { Operation } from './operation.js'
import type { RouteParts } from './route-parts.js'
import * as schemas from './schemas.js'

/** The operations on the caller's account and the plans. */
export function accountOperations({ upstreams, plans }: RouteParts): readonly Operation[] {
  const { usage: client } = upstreams
  return [
    {
      method: 'get',
      path: '/api/auth/profile',
      operationId: 'getProfile',
      group: 'Account',
      access: 'account',
      summary: 'Who you are, your plan, its limits and what you use of them',
      answers: { 200: { description: 'Your profile.', schema: schemas.profile } },
      refusals: [],
      async handle(exchange, caller) {
        const usage = await callUnary(
          client,
          client.getUsage,
          { ownerId: caller.accountId },
          shortCall(exchange),
        )
        sendJson(exchange.response, 200, {
          id: caller.accountId,
          email: caller.email,
          email_verified: caller.emailVerified,
          name: caller.name,
          picture: caller.picture,
          plan: caller.plan,
          limits: planLimits(plans[caller.plan]),
          usage: { snippets: usage.snippets, shares: usage.shares, history: 0, api_keys: 0 },
          created_at: caller.createdAt.toISOString(),
        })
      },
    },
    {
      method: 'get',
      path: '/api/plans',
      operationId: 'listPlans',
      group: 'Account',
      access: 'public',
      summary: 'The plans and their limits',
      answers: { 200: { description: 'The plans.', schema: schemas.planList } },
      refusals: [],
      async handle({ response }) {
        sendJson(response, 200, planList(plans), { 'Cache-Control': 'public, max-age=60' })
      },
    },
  ]
}
