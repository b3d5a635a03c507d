import { callUnary } from '#libs/grpc/call.js'
import { channelCredentials } from '#libs/grpc/client-options.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import { PlanServiceClient } from '#proto/snipkeep/content/v1/plan_service.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { developmentUsers, userClaims } from './development-issuer/development-user.js'

/** Makes the accounts of the development users, and has `pro` hold Pro unless its plan was changed since. */
export async function makeDevelopmentUsers(
  targets: { readonly identity: string; readonly activity: string; readonly content: string },
  issuer: string,
): Promise<void> {
  const accounts = new AccountServiceClient(targets.identity, channelCredentials())
  const history = new HistoryServiceClient(targets.activity, channelCredentials())
  const content = new PlanServiceClient(targets.content, channelCredentials())
  const context = { requestId: 'launcher', timeoutMs: 10_000 }
  try {
    for (const user of developmentUsers) {
      const { sub, email, email_verified, name } = userClaims(user)
      const request = { issuer, subject: sub, email, emailVerified: email_verified, name, picture: undefined }
      const { account } = await callUnary(accounts, accounts.resolveCaller, request, context)
      if (user !== 'pro' || account === undefined) continue
      const held = { plan: Plan.PLAN_PRO, version: 1 }
      await callUnary(accounts, accounts.setPlan, { accountId: account.id, ...held }, context)
      await callUnary(history, history.setPlan, { ownerId: account.id, ...held }, context)
      await callUnary(content, content.setPlan, { ownerId: account.id, ...held }, context)
    }
  } finally {
    accounts.close()
    history.close()
    content.close()
  }
}
