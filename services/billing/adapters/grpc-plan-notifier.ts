import { randomUUID } from 'node:crypto'
import { DomainError } from '#libs/core/domain-error.js'
import { type CallContext, callUnary } from '#libs/grpc/call.js'
import { clientOptions } from '#libs/grpc/client-options.js'
import type { Transport } from '#libs/grpc/transport.js'
import type { Logger } from '#libs/log/logger.js'
import { HistoryServiceClient } from '#proto/snipkeep/activity/v1/history_service.js'
import { PlanServiceClient } from '#proto/snipkeep/content/v1/plan_service.js'
import { AccountServiceClient } from '#proto/snipkeep/identity/v1/account_service.js'
import { planMessage } from '#shared/plan-messages.js'
import type { PlanDelivery, PlanReceiver } from '../domain/manual-plan.js'
import type { PlanNotifier } from '../ports.js'

/** The gRPC address of each receiver. */
export type ReceiverTargets = Readonly<Record<PlanReceiver, string>>

const timeoutMs = 3_000

/** Idempotent, so they may be retried. */
const retryable = {
  'snipkeep.identity.v1.AccountService': ['SetPlan'],
  'snipkeep.content.v1.PlanService': ['SetPlan'],
  'snipkeep.activity.v1.HistoryService': ['SetPlan'],
}

/** Delivers plans over gRPC. An account that a receiver does not know needs no plan there. */
export function grpcPlanNotifier(
  targets: ReceiverTargets,
  transport: Transport,
  log: Logger,
): PlanNotifier & { readonly close: () => void } {
  const options = clientOptions(retryable)
  const identity = new AccountServiceClient(
    targets.identity,
    transport.channelCredentials('identity'),
    options,
  )
  const content = new PlanServiceClient(targets.content, transport.channelCredentials('content'), options)
  const activity = new HistoryServiceClient(
    targets.activity,
    transport.channelCredentials('activity'),
    options,
  )

  const send = ({ accountId, receiver, plan, version, granted }: PlanDelivery, context: CallContext) => {
    const held = { plan: planMessage(plan), version }
    switch (receiver) {
      case 'identity': {
        const grant = granted === null ? undefined : { ...granted, shownAs: granted.shownAs ?? '' }
        return callUnary(identity, identity.setPlan, { accountId, ...held, grant }, context)
      }
      case 'content':
        return callUnary(content, content.setPlan, { ownerId: accountId, ...held }, context)
      case 'activity':
        return callUnary(activity, activity.setPlan, { ownerId: accountId, ...held }, context)
      default:
        return receiver satisfies never
    }
  }
  return {
    async notify(delivery) {
      try {
        await send(delivery, { requestId: randomUUID(), timeoutMs })
      } catch (error) {
        if (!(error instanceof DomainError && error.kind === 'not-found')) throw error
        log.warn(
          { event: 'plan_account_unknown', account_id: delivery.accountId, receiver: delivery.receiver },
          'plan delivery dropped: unknown account',
        )
      }
    },
    close() {
      for (const client of [identity, content, activity]) client.close()
    },
  }
}
