import type { PlanLimits, PlanName } from '#shared/core/plan.js'
import type { OwnerId } from '../domain/ids.js'
import { snippetLimitReached } from '../domain/snippet.js'
import type { ContentPorts } from '../ports.js'

/**
 * Checks whether a create would be rejected now; the create itself decides exactly.
 * @throws DomainError `snippet_limit_reached`.
 */
export async function checkSnippetQuota(
  { snippets }: Pick<ContentPorts, 'snippets'>,
  ownerId: OwnerId,
  plan: PlanName,
  { snippets: limit }: PlanLimits,
): Promise<void> {
  if (limit !== null && (await snippets.count(ownerId)) >= limit) throw snippetLimitReached(plan, limit)
}
