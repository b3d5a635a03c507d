import type { PlanCatalogue, PlanLimits, PlanName } from '#libs/core/plan.js'

/** The limits of a plan as callers see them; `null` is unlimited. */
export function planLimits(limits: PlanLimits): Record<string, number | null> {
  return {
    data_bytes: limits.dataBytes,
    snippets: limits.snippets,
    share_ttl_days: limits.shareTtlDays,
    history: limits.history,
    api_keys: limits.apiKeys,
  }
}

const names: Readonly<Record<PlanName, string>> = { free: 'Free', pro: 'Pro' }

/** The catalogue as callers see it. A plan that is not for sale here has no prices. */
export function planList(plans: PlanCatalogue, everyoneIsPro: boolean): { plans: unknown[] } {
  const order: readonly PlanName[] = everyoneIsPro ? ['pro'] : ['free', 'pro']
  return { plans: order.map((id) => ({ id, name: names[id], limits: planLimits(plans[id]), prices: [] })) }
}
