import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { type PlanServiceServer, PlanServiceService } from '#proto/snipkeep/content/v1/plan_service.js'
import { type UsageServiceServer, UsageServiceService } from '#proto/snipkeep/content/v1/usage_service.js'
import type { PlanCatalogue } from '#shared/core/plan.js'
import { planName } from '#shared/plan-messages.js'
import { setPlan } from '../application/set-plan.js'
import type { ContentPorts } from '../ports.js'
import { ownerOf } from './grpc-messages.js'

/** `UsageService` over gRPC. */
export function grpcUsage(
  { unary }: Pick<Handlers, 'unary'>,
  { snippets, shares, contracts, checks, usage }: ContentPorts,
): BoundService {
  const handlers: UsageServiceServer = {
    getUsage: unary(async (request) => {
      const owner = ownerOf(request.ownerId)
      const [snippetCount, shareCount, storedBytes, contractCount, pendingChecks] = await Promise.all([
        snippets.count(owner),
        shares.countLive(owner),
        usage.storedBytes(owner),
        contracts.count(owner),
        checks.countPending(owner),
      ])
      const counts = { snippets: snippetCount, shares: shareCount, contracts: contractCount }
      return { ...counts, storedBytes, pendingChecks }
    }),
  }
  return { definition: UsageServiceService, handlers, callers: { each: ['gateway'] } }
}

/** `PlanService` over gRPC. */
export function grpcPlans(
  { unary }: Pick<Handlers, 'unary'>,
  ports: ContentPorts,
  plans: PlanCatalogue,
): BoundService {
  const handlers: PlanServiceServer = {
    setPlan: unary(async ({ ownerId, plan, version }) => {
      await setPlan(ports, ownerOf(ownerId), plans[planName(plan)], version)
      return {}
    }),
  }
  return { definition: PlanServiceService, handlers, callers: { each: ['billing'] } }
}
