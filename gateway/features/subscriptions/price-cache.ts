import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'

const freshMs = 60_000
/** After a failure or a response without prices. */
const retryMs = 1_000

/**
 * Returns the last known prices of Pro, or none. Billing is called again for those that are older than a minute, but
 * only the first callers wait for it: later ones get what was known before, and never wait while it is down.
 * @param list calls billing.
 * @param now a monotonic clock in milliseconds.
 */
export function createPriceCache(
  list: () => Promise<readonly Price[]>,
  now: () => number,
): () => Promise<readonly Price[]> {
  let latest: readonly Price[] = []
  let first: Promise<void> | undefined
  let dueAt = Number.NEGATIVE_INFINITY
  const load = async (): Promise<void> => {
    dueAt = Number.POSITIVE_INFINITY
    // An empty list: billing may have just started, and not know the prices yet.
    const prices = await list().catch((): readonly Price[] => [])
    if (prices.length > 0) latest = prices
    dueAt = now() + (prices.length > 0 ? freshMs : retryMs)
  }
  return async () => {
    const loading = now() < dueAt ? undefined : load()
    first ??= loading
    await first
    return latest
  }
}
