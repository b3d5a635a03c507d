import type { PlanName } from '#shared/core/plan.js'

/** The stored plan of an owner. */
export interface StoredPlan {
  readonly plan: PlanName
  /** Grows with every change. */
  readonly version: number
  /** Entries before this time are hidden by a smaller plan; `null` if none are. */
  readonly lapsedAt: Date | null
}

/** How long entries hidden by a smaller plan are kept, in milliseconds: an upgrade before that brings them back. */
export const lapseGraceMs = 30 * 86_400_000

/** What is known of an owner when a plan change arrives. */
export interface PlanHolder {
  /** `null` if no plan is stored. */
  readonly known: StoredPlan | null
  /** The time of its newest entry, which may be some milliseconds ahead. */
  readonly newestAt: Date | null
}

/**
 * The plan after a change: the same value if nothing changes, for example because the change is older than the stored
 * plan. A smaller plan starts a lapse, and a larger one ends it. No entry from before a lapse has a later time.
 */
export function notePlan(
  { known, newestAt }: PlanHolder,
  plan: PlanName,
  version: number,
  now: Date,
): StoredPlan {
  if (known === null) return { plan, version, lapsedAt: null }
  if (version < known.version || (version === known.version && plan === known.plan)) return known
  if (plan === 'pro') return { plan, version, lapsedAt: null }
  if (known.plan === 'free') return { plan, version, lapsedAt: known.lapsedAt }
  return { plan, version, lapsedAt: new Date(Math.max(now.getTime(), newestAt?.getTime() ?? 0)) }
}
