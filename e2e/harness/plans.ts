import { callUnary } from '#libs/grpc/call.js'
import { plainTransport, type Transport } from '#libs/grpc/transport.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import { PlanServiceClient } from '#proto/snipkeep/content/v1/plan_service.js'
import { AccountServiceClient, ResolveCallerRequest } from '#proto/snipkeep/identity/v1/account_service.js'
import { planMessage } from '#shared/plan-messages.js'

/** Decides which plan each user holds, as billing does: it tells identity, activity and content. */
export interface Plans {
  /** The user's account, made if it is not there yet, holds this plan once this resolves. */
  set(subject: string, plan: 'free' | 'pro'): Promise<void>
  close(): void
}

/**
 * Plans of the users of this issuer.
 * @param as the transports of the processes that make the calls in earnest.
 */
export function openPlans(
  targets: { readonly identity: string; readonly activity: string; readonly content: string },
  issuer: string,
  as: { readonly gateway: Transport; readonly billing: Transport } = {
    gateway: plainTransport,
    billing: plainTransport,
  },
): Plans {
  const callers = new AccountServiceClient(targets.identity, as.gateway.channelCredentials('identity'))
  const accounts = new AccountServiceClient(targets.identity, as.billing.channelCredentials('identity'))
  const history = new HistoryServiceClient(targets.activity, as.billing.channelCredentials('activity'))
  const content = new PlanServiceClient(targets.content, as.billing.channelCredentials('content'))
  const context = { requestId: 'e2e', timeoutMs: 10_000 }
  let version = 0
  return {
    async set(subject, name) {
      version += 1
      const plan = planMessage(name)
      const claims = ResolveCallerRequest.fromPartial({ issuer, subject })
      const { account } = await callUnary(callers, callers.resolveCaller, claims, context)
      const id = account?.id ?? ''
      await callUnary(accounts, accounts.setPlan, { accountId: id, plan, version }, context)
      await callUnary(history, history.setPlan, { ownerId: id, plan, version }, context)
      await callUnary(content, content.setPlan, { ownerId: id, plan, version }, context)
    },
    close() {
      callers.close()
      accounts.close()
      history.close()
      content.close()
    },
  }
}
