import type { PlanList } from '#sdk/exports.js'

/** A plan with its limits and its prices; none if it is not for sale here. */
export type Plan = PlanList['plans'][number]

/** The price for a billing interval. */
export type Price = Plan['prices'][number]

/** The display name of a plan. */
export type PlanName = Plan['id']

/** The limits of a plan; `null` is unlimited. */
export type PlanLimits = Plan['limits']
