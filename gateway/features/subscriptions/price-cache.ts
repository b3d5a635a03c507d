import { createTtlCache } from '#libs/cache/ttl-cache.js'
import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'

const freshMs = 60_000
/** After a failure or a response without prices. */
const retryMs = 1_000

/**
 * Returns the prices of Pro. Concurrent callers share one call; if it fails, they get the last known prices, or none.
 * @param list calls billing.
 * @param now a monotonic clock in milliseconds.
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
      // An empty list: billing may have just started, and not know the prices yet.
      const prices = await list().catch((): readonly Price[] => [])
      if (prices.length > 0) latest = prices
      return { value: latest, ttlMs: now() - askedAt + (prices.length > 0 ? freshMs : retryMs) }
    })
}
