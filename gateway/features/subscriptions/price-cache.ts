import { createTtlCache } from '#libs/cache/ttl-cache.js'
import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'

/** How long prices are cached, and how long to wait after a response without any, in milliseconds. */
const freshMs = 60_000
const retryMs = 1_000

/**
 * The prices of Pro. Concurrent callers share one call; while it is pending or fails the last result counts, or no
 * price at all.
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
      // Billing may have just started and not know them yet.
      const prices = await list().catch((): readonly Price[] => [])
      if (prices.length > 0) latest = prices
      return { value: latest, ttlMs: now() - askedAt + (prices.length > 0 ? freshMs : retryMs) }
    })
}
