import { callUnary } from '#libs/grpc/call.js'
import { plainTransport, type Transport } from '#libs/grpc/transport.js'
import { wholeMessage } from '#libs/testing/whole-message.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import { PlanServiceClient } from '#proto/snipkeep/content/v1/plan_service.js'
import { AccountServiceClient, ResolveCallerRequest } from '#proto/snipkeep/identity/v1/account_service.js'
import { planMessage } from '#shared/plan-messages.js'

/** Sets users' plans as billing does: it announces them to identity, activity and content. */
export interface Plans {
  /** Sets the plan of the user's account, which is created if necessary. */
  set(subject: string, plan: 'free' | 'pro'): Promise<void>
  close(): void
}

/**
 * Sets plans of this issuer's users.
 * @param as the transports of the real callers.
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
      const claims = wholeMessage(ResolveCallerRequest, { issuer, subject })
      const { account } = await callUnary(callers, callers.resolveCaller, claims, context)
      const id = account?.id ?? ''
      await callUnary(accounts, accounts.setPlan, { accountId: id, plan, version, grant: undefined }, context)
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
