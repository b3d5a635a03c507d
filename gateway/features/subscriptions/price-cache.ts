import type { Price } from '#proto/snipkeep/billing/v1/subscription_service.js'

/** How long prices count as known, and how long nobody asks again after an answer that told none, in milliseconds. */
const freshMs = 60_000
const retryMs = 1_000

/**
 * What Pro costs. Callers at once share one question, and while there is no answer the last one counts, or no price at
 * all.
 * @param list asks billing.
 * @param now milliseconds that only grow.
 */
export function createPriceCache(
  list: () => Promise<readonly Price[]>,
  now: () => number,
): () => Promise<readonly Price[]> {
  let known: readonly Price[] = []
  let askAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null

  const ask = async (): Promise<void> => {
    // Billing that has only just started may not know them yet.
    const prices = await list().catch((): readonly Price[] => [])
    if (prices.length > 0) known = prices
    askAt = now() + (prices.length > 0 ? freshMs : retryMs)
    asking = null
  }
  return async () => {
    if (now() >= askAt) {
      asking ??= ask()
      await asking
    }
    return known
  }
}
