import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type AccountServiceServer,
  AccountServiceService,
  type PlanGrant as PlanGrantMessage,
} from '#proto/snipkeep/identity/v1/account_service.js'
import { planName } from '#shared/plan-messages.js'
import { closeAccount, restoreAccount } from '../application/close-account.js'
import { resolveCaller, resolveKnownCaller } from '../application/resolve-caller.js'
import { setPlan } from '../application/set-plan.js'
import { accountId } from '../domain/account.js'
import type { ManualPlan } from '../domain/account-event.js'
import type { ChangedAccount } from '../erasure-ports.js'
import type { IdentityPorts } from '../ports.js'
import { accountMessage } from './grpc-messages.js'

const callers: CallersOf<typeof AccountServiceService> = { each: ['gateway'], setPlan: ['billing'] }

function grantOf(grant: PlanGrantMessage | undefined): ManualPlan | null {
  if (grant?.until === undefined) return null
  const { until, message, shownAs } = grant
  return { until, message, shownAs: shownAs === '' ? null : shownAs }
}

function changedMessage({ account, version, changed }: ChangedAccount) {
  return { account: accountMessage(account), version, changed }
}

/** @param erasureDays how long a closed account can be restored. */
export function grpcAccounts(
  { unary }: Pick<Handlers, 'unary'>,
  ports: IdentityPorts,
  erasureDays: number,
): BoundService {
  const handlers: AccountServiceServer = {
    resolveCaller: unary(async ({ existingOnly, ...request }) => {
      const { issuer, subject, email, emailVerified, name, picture, issuedAt } = request
      const profile = { email: email ?? null, emailVerified, name: name ?? null, picture: picture ?? null }
      const claims = { issuer, subject, profile, issuedAt: issuedAt ?? null }
      const resolved = await (existingOnly ? resolveKnownCaller : resolveCaller)(ports, claims)
      if (resolved === null) return { account: undefined, signedIn: false, created: false }
      const { account, signedIn, created } = resolved
      return { account: accountMessage(account), signedIn, created }
    }),
    setPlan: unary(async ({ accountId: id, plan, version, grant }) => {
      const given = grantOf(grant)
      const { account, applied } = await setPlan(ports, accountId(id), planName(plan), version, given)
      return { account: accountMessage(account), applied }
    }),
    closeAccount: unary(async ({ accountId: id }) =>
      changedMessage(await closeAccount(ports, accountId(id), erasureDays)),
    ),
    restoreAccount: unary(async ({ accountId: id }) =>
      changedMessage(await restoreAccount(ports, accountId(id))),
    ),
  }
  return { definition: AccountServiceService, handlers, callers }
}
