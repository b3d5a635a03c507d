import { invalidField } from '#libs/core/domain-error.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import {
  type BillingRecord,
  type OperatorServiceServer,
  OperatorServiceService,
} from '#proto/snipkeep/billing/v1/operator_service.js'
import { decisionOf, queueMessage } from '#shared/operator/audit-messages.js'
import { endPlanGrant, grantPlan } from '../application/grant-plan.js'
import type { BillingAccount } from '../domain/billing-account.js'
import { accountId } from '../domain/ids.js'
import type { BillingPorts } from '../ports.js'
import { accountMessage } from './grpc-messages.js'

function recordOf(account: BillingAccount): BillingRecord {
  return { accountId: account.id, ...accountMessage(account) }
}

/** `OperatorService` over gRPC. */
export function grpcOperators(
  { unary }: Pick<Handlers, 'unary'>,
  ports: Pick<BillingPorts, 'accounts' | 'oversight'>,
  { provider, onChange }: { readonly provider: string; readonly onChange: () => void },
): BoundService {
  const handlers: OperatorServiceServer = {
    getBillingRecord: unary(async ({ accountId: id }) => ({
      record: recordOf(await ports.accounts.find(accountId(id))),
    })),
    grantPlan: unary(async ({ accountId: id, until, decision }) => {
      if (until === undefined) throw invalidField('/ends_at', 'required', 'ends_at is required.')
      const account = await grantPlan(ports, accountId(id), until, decisionOf(decision))
      onChange()
      return { record: recordOf(account) }
    }),
    endPlanGrant: unary(async ({ accountId: id, decision }) => {
      const account = await endPlanGrant(ports, accountId(id), decisionOf(decision))
      onChange()
      return { record: recordOf(account) }
    }),
    // Identity lists what all services recorded; a gateway of the release before still asks here, too.
    listActs: unary(async () => ({ acts: [], nextCursor: '' })),
    getPaymentState: unary(async () => {
      const { queues, lastEventAt, ...figures } = await ports.oversight.figures()
      return {
        ...{ provider, queues: queues.map(queueMessage), lastEventAt: lastEventAt ?? undefined },
        wrongModeEvents: figures.wrongModeEvents,
        pastDueSubscriptions: figures.pastDueSubscriptions,
        liveSubscriptions: figures.liveSubscriptions,
        waitingRefunds: figures.waitingRefunds,
        planGrants: figures.planGrants,
      }
    }),
  }
  return { definition: OperatorServiceService, handlers, callers: { each: ['gateway'] } }
}
