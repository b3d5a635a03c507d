import { setTimeout as sleep } from 'node:timers/promises'
import { callUnary } from '#libs/grpc/call.js'
import { plainTransport } from '#libs/grpc/transport.js'
import { runCommand } from '#libs/runtime/run-command.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import {
  BillingInterval,
  SubscriptionServiceClient,
} from '#proto/snipkeep/billing/v1/subscription_service.js'
import { PlanServiceClient } from '#proto/snipkeep/content/v1/plan_service.js'
import { type Account, AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import type { ServiceAddresses } from '../../deploy/launcher/addresses.js'
import { LaunchError } from '../../deploy/launcher/launch-error.js'
import { developmentUsers, userClaims } from '../issuer/development-user.js'

export interface DevelopmentUsersRequest {
  readonly targets: ServiceAddresses
  /** The issuer of these users. */
  readonly issuer: string
  /** Where `pro` subscribes; `null` without the sandbox: then Pro is granted directly. */
  readonly sandboxUrl: string | null
}

/** Parses the argument that the launcher wrote. */
function readRequest(argument: string | undefined): DevelopmentUsersRequest {
  // Not validated: only the launcher of the same release writes it.
  return JSON.parse(argument ?? '{}') as DevelopmentUsersRequest
}

type Clients = ReturnType<typeof openClients>

const context = { requestId: 'launcher', timeoutMs: 10_000 }
const paidTimeoutMs = 20_000
const reachableTimeoutMs = 20_000

function openClients(targets: ServiceAddresses) {
  return {
    accounts: new AccountServiceClient(targets.identity, plainTransport.channelCredentials('identity')),
    history: new HistoryServiceClient(targets.activity, plainTransport.channelCredentials('activity')),
    content: new PlanServiceClient(targets.content, plainTransport.channelCredentials('content')),
    subscriptions: new SubscriptionServiceClient(
      targets.billing,
      plainTransport.channelCredentials('billing'),
    ),
  }
}

/** The gateway does not wait for billing, so it may be ready before billing listens. */
async function untilReachable(clients: readonly Clients[keyof Clients][]): Promise<void> {
  const deadline = Date.now() + reachableTimeoutMs
  const reach = (client: Clients[keyof Clients]): Promise<void> =>
    new Promise((resolve, reject) => {
      client.waitForReady(deadline, (error) => (error === undefined ? resolve() : reject(error)))
    })
  await Promise.all(clients.map(reach))
}

/** Grants Pro directly in each service, because there is no billing. */
async function givePro({ accounts, history, content }: Clients, { id }: Account): Promise<void> {
  const held = { plan: Plan.PLAN_PRO, version: 1 }
  await callUnary(accounts, accounts.setPlan, { accountId: id, ...held, grant: undefined }, context)
  await callUnary(history, history.setPlan, { ownerId: id, ...held }, context)
  await callUnary(content, content.setPlan, { ownerId: id, ...held }, context)
}

/**
 * Subscribes the account in the sandbox unless it has ever subscribed, and waits until identity knows its plan.
 * @throws LaunchError if that takes too long.
 */
async function subscribe(clients: Clients, account: Account, sandboxUrl: string, plan: () => Promise<Plan>) {
  const { subscriptions } = clients
  const own = { accountId: account.id }
  const { subscription } = await callUnary(subscriptions, subscriptions.getSubscription, own, context)
  if (subscription !== undefined) return
  const checkout = await callUnary(
    subscriptions,
    subscriptions.startCheckout,
    {
      ...own,
      email: account.email,
      // The same user of an earlier address of the issuer may have a subscription, too.
      emailVerified: false,
      interval: BillingInterval.BILLING_INTERVAL_MONTH,
      successUrl: undefined,
      cancelUrl: undefined,
      idempotencyKey: '',
    },
    context,
  )
  const paid = await fetch(`${sandboxUrl}/sandbox/checkout/${checkout.id}/pay`, { method: 'POST' })
  await paid.body?.cancel()
  for (const until = Date.now() + paidTimeoutMs; Date.now() < until; await sleep(50)) {
    if ((await plan()) === Plan.PLAN_PRO) return
  }
  throw new LaunchError(
    'The subscription of the user pro was paid in the sandbox, but no payment event arrived.',
  )
}

/** Creates the accounts of the development users. `pro` gets Pro, unless someone has changed its plan since. */
async function makeDevelopmentUsers({ targets, issuer, sandboxUrl }: DevelopmentUsersRequest): Promise<void> {
  const clients = openClients(targets)
  const { accounts } = clients
  try {
    const { subscriptions, ...others } = clients
    await untilReachable([...Object.values(others), ...(sandboxUrl === null ? [] : [subscriptions])])
    for (const user of developmentUsers) {
      const { sub, email, email_verified, name } = userClaims(user)
      const request = {
        issuer,
        subject: sub,
        email,
        emailVerified: email_verified,
        name,
        picture: undefined,
        issuedAt: undefined,
        existingOnly: false,
      }
      const resolve = () => callUnary(accounts, accounts.resolveCaller, request, context)
      const { account } = await resolve()
      if (user !== 'pro' || account === undefined) continue
      if (sandboxUrl === null) await givePro(clients, account)
      else {
        const plan = async () => (await resolve()).account?.plan ?? Plan.PLAN_UNSPECIFIED
        await subscribe(clients, account, sandboxUrl, plan)
      }
    }
  } finally {
    for (const client of Object.values(clients)) client.close()
  }
}

// A killed launcher has no use for users, and its next start must not find this process.
process.stdin.once('end', () => process.exit(1)).resume()
process.stdin.unref()

// A separate process, so that the launcher need not keep gRPC in memory.
await runCommand(() => makeDevelopmentUsers(readRequest(process.argv[2])))
