import type { PlanLimits } from '#shared/core/plan.js'
import type { OwnerId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

/** Shares whose expiry one step takes away at most. */
const batch = 1_000

/**
 * Acts on a plan that an owner holds from now on: one whose shares never expire takes away the expiry that a plan before
 * gave to shares that are still live. A smaller plan leaves everything as it is. It may be told again after a failure
 * half-way; a version that is known, or older, changes nothing.
 */
export async function setPlan(
  { shares, planVersions }: Pick<ContentPorts, 'shares' | 'planVersions'>,
  ownerId: OwnerId,
  { shareTtlDays }: Pick<PlanLimits, 'shareTtlDays'>,
  version: number,
): Promise<void> {
  if (version <= (await planVersions.find(ownerId))) return
  if (shareTtlDays === null) while ((await shares.liftExpiry(ownerId, batch)) === batch);
  await planVersions.note(ownerId, version)
}
