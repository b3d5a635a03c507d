import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { type PlanCatalogue, type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import { intervalResponse } from '../subscriptions/subscription-response.js'

/** `null` means unlimited. */
export function planLimits(limits: PlanLimits): Record<string, number | null> {
  return {
    data_bytes: limits.dataBytes,
    snippets: limits.snippets,
    revisions: limits.revisions,
    shares: limits.shares,
    stored_bytes: limits.storedBytes,
    share_ttl_days: limits.shareTtlDays,
    history: limits.history,
    api_keys: limits.apiKeys,
    trusted_publishers: limits.trustedPublishers,
  }
}

function priceResponse({ interval, currency, amountMinor }: Price): Record<string, string | number> {
  return { interval: intervalResponse(interval), currency, amount: amountMinor }
}

/** A plan that is not for sale here has no prices. */
export function planList(
  plans: PlanCatalogue,
  everyoneIsPro: boolean,
  pricesOfPro: readonly Price[],
): { plans: unknown[] } {
  const order: readonly PlanName[] = everyoneIsPro ? ['pro'] : ['free', 'pro']
  return {
    plans: order.map((id) => ({
      id,
      name: planTitles[id],
      limits: planLimits(plans[id]),
      prices: id === 'pro' ? pricesOfPro.map(priceResponse) : [],
    })),
  }
}
