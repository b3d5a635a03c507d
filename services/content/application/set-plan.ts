import type { PlanLimits } from '#shared/core/plan.js'
import type { OwnerId } from '../domain/ids.js'
import type { ContentPorts } from '../ports.js'

/** The maximum shares whose expiry one step lifts. */
const batch = 1_000

/**
 * Applies an owner's new plan: if its shares never expire, lifts the expiry that an earlier plan gave to live
 * shares. A smaller plan changes nothing. Safe to repeat after a partial failure; a known or older version
 * has no effect.
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
