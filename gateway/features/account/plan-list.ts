import { randomUUID } from 'node:crypto'
import { callUnary } from '#libs/grpc/call.js'
import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { type PlanCatalogue, type PlanLimits, type PlanName, planTitles } from '#shared/core/plan.js'
import type { Upstreams } from '../../upstreams.js'
import { createPriceCache } from '../subscriptions/price-cache.js'
import { intervalResponse } from '../subscriptions/subscription-schemas.js'

/** The limits of a plan as the API returns them; `null` means unlimited. */
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
    contracts: limits.contracts,
  }
}

function priceResponse({ interval, currency, amountMinor }: Price): Record<string, string | number> {
  return { interval: intervalResponse(interval), currency, amount: amountMinor }
}

/** What `/api/plans` returns. */
export interface PlanList {
  readonly plans: readonly unknown[]
}

/** A plan that is not for sale here has no prices. */
function planList(plans: PlanCatalogue, everyoneIsPro: boolean, pricesOfPro: readonly Price[]): PlanList {
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

/** The longest time that a caller waits for prices. */
const pricesTimeoutMs = 1_000

/** What the list needs of the gateway. */
export interface PlanListParts {
  readonly upstreams: Pick<Upstreams, 'subscriptions'>
  readonly plans: PlanCatalogue
  /** Whether Pro is the only plan. */
  readonly everyoneIsPro: boolean
}

/** Returns the plans with their limits and prices, for a minute those asked for last. It never rejects. */
export function createPlanList({
  upstreams: { subscriptions },
  plans,
  everyoneIsPro,
}: PlanListParts): () => Promise<PlanList> {
  const prices = createPriceCache(
    async () => {
      const context = { requestId: randomUUID(), timeoutMs: pricesTimeoutMs }
      return (await callUnary(subscriptions, subscriptions.listPrices, {}, context)).prices
    },
    () => performance.now(),
  )
  return async () => planList(plans, everyoneIsPro, everyoneIsPro ? [] : await prices())
}
