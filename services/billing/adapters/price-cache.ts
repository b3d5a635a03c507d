import { createRevalidatingCache } from '#libs/cache/revalidating-cache.js'
import type { Logger } from '#libs/log/logger.js'
import { periodicTask } from '#libs/runtime/periodic-task.js'
import type { Price } from '../domain/subscription.js'
import type { PaymentProvider } from '../ports.js'

/** The latest known prices; none before the first response of the provider. */
export interface PriceCache {
  current(): readonly Price[]
  stop(): Promise<void>
}

/** Prices hardly ever change; while they are unknown or stale, they are fetched in every interval. */
const freshMs = 600_000
const intervalMs = 10_000
const always = Number.POSITIVE_INFINITY

/** Fetches prices in the background, so that no request waits for the provider. */
export function createPriceCache(provider: Pick<PaymentProvider, 'prices'>, log: Logger): PriceCache {
  const cache = createRevalidatingCache({
    load: () => provider.prices(),
    ...{ freshMs, staleMs: always, maxMs: always, retryMs: 0, firstRetryMs: 0 },
    now: () => performance.now(),
    onFailure: (error) =>
      log.warn({ event: 'prices_unavailable', err: error }, 'prices could not be fetched'),
  })
  void cache.fill()
  const task = periodicTask('prices', intervalMs, log, async () => {
    await cache.find((prices) => prices)
  })
  return {
    current: () => cache.current() ?? [],
    async stop() {
      await Promise.all([cache.settled(), task.stop()])
    },
  }
}
