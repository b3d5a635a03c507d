import type { PlanName } from '#shared/core/plan.js'

/** The plan that an owner is known to hold. */
export interface HeldPlan {
  readonly plan: PlanName
  /** Grows with every change. */
  readonly version: number
  /** Since when entries from before are hidden by a smaller plan; `null` when none are. */
  readonly lapsedAt: Date | null
}

/** How long entries that a smaller plan hides are kept, in milliseconds: an upgrade before that brings them back. */
export const lapseGraceMs = 30 * 86_400_000

/** An owner at the moment when news of its plan comes. */
export interface PlanHolder {
  /** `null` when nothing is known. */
  readonly known: HeldPlan | null
  /** When its newest entry was recorded, which may be some milliseconds ahead. */
  readonly newestAt: Date | null
}

/**
 * What is known of an owner's plan after being told of one: the same value where nothing changes, as by news that is
 * older than what is known. A change to a smaller plan is a lapse, and a larger one ends it. No entry is later than a
 * lapse that it came before.
 */
export function notePlan(
  { known, newestAt }: PlanHolder,
  plan: PlanName,
  version: number,
  now: Date,
): HeldPlan {
  if (known === null) return { plan, version, lapsedAt: null }
  if (version < known.version || (version === known.version && plan === known.plan)) return known
  if (plan === 'pro') return { plan, version, lapsedAt: null }
  if (known.plan === 'free') return { plan, version, lapsedAt: known.lapsedAt }
  return { plan, version, lapsedAt: new Date(Math.max(now.getTime(), newestAt?.getTime() ?? 0)) }
}
