import { createTtlCache } from '#libs/cache/ttl-cache.js'
import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'

/** How long prices count as known, and how long nobody asks again after a response that has none, in milliseconds. */
const freshMs = 60_000
const retryMs = 1_000

/**
 * What Pro costs. Callers at once share one question, and while there is no response the last one counts, or no price at
 * all.
 * @param list asks billing.
 * @param now milliseconds that only grow.
 */
export function createPriceCache(
  list: () => Promise<readonly Price[]>,
  now: () => number,
): () => Promise<readonly Price[]> {
  const cache = createTtlCache<readonly Price[]>({ now, sizeMax: 1, sizeOf: () => 1 })
  let latest: readonly Price[] = []
  return () =>
    cache.resolve('prices', async () => {
      const askedAt = now()
      // Billing that has only just started may not know them yet.
      const prices = await list().catch((): readonly Price[] => [])
      if (prices.length > 0) latest = prices
      return { value: latest, ttlMs: now() - askedAt + (prices.length > 0 ? freshMs : retryMs) }
    })
}
