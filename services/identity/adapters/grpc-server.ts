import { validationFailed } from '#libs/core/domain-error.js'
import type { PlanName } from '#libs/core/plan.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type Account as AccountMessage,
  type AccountServiceServer,
  AccountServiceService,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { Plan } from '#proto/snipkeep/plan/v1/plan.js'
import { resolveCaller } from '../application/resolve-caller.js'
import { type Account, accountId, accountNotFound } from '../domain/account.js'
import type { IdentityPorts } from '../ports.js'

function planName(plan: Plan): PlanName {
  switch (plan) {
    case Plan.PLAN_FREE:
      return 'free'
    case Plan.PLAN_PRO:
      return 'pro'
    default:
      throw validationFailed([{ pointer: '/plan', code: 'required', detail: 'plan must be Free or Pro.' }])
  }
}

function accountMessage({ id, profile, plan, createdAt }: Account): AccountMessage {
  return {
    id,
    email: profile.email ?? undefined,
    emailVerified: profile.emailVerified,
    name: profile.name ?? undefined,
    picture: profile.picture ?? undefined,
    plan: plan === 'pro' ? Plan.PLAN_PRO : Plan.PLAN_FREE,
    createdAt,
  }
}

/** `AccountService` over gRPC. */
export function grpcServer({ unary }: Pick<Handlers, 'unary'>, ports: IdentityPorts): BoundService {
  const handlers: AccountServiceServer = {
    resolveCaller: unary(async ({ issuer, subject, email, emailVerified, name, picture }) => {
      const profile = { email: email ?? null, emailVerified, name: name ?? null, picture: picture ?? null }
      return { account: accountMessage(await resolveCaller(ports, { issuer, subject, profile })) }
    }),
    setPlan: unary(async ({ accountId: id, plan, version }) => {
      const changed = await ports.accounts.setPlan(accountId(id), planName(plan), version)
      if (changed === null) throw accountNotFound()
      return { account: accountMessage(changed.account), applied: changed.applied }
    }),
  }
  return { definition: AccountServiceService, handlers: { ...handlers } }
}
