import type { Logger } from '#libs/log/logger.js'
import { periodicTask } from '#libs/runtime/periodic-task.js'
import type { Price } from '../domain/subscription.js'
import type { PaymentProvider } from '../ports.js'

/** The latest known prices; none before the provider was first reached. */
export interface PriceCache {
  current(): readonly Price[]
  stop(): Promise<void>
}

/** Prices hardly ever change; until they are known they are fetched in every interval. */
const intervalsBetween = 60
const intervalMs = 10_000

/** Fetches prices in the background, so that no request waits for the provider. */
export function createPriceCache(provider: Pick<PaymentProvider, 'prices'>, log: Logger): PriceCache {
  let prices: readonly Price[] = []
  let intervalsLeft = 0
  const refresh = async (): Promise<void> => {
    intervalsLeft -= 1
    if (intervalsLeft > 0) return
    prices = await provider.prices()
    intervalsLeft = intervalsBetween
  }
  const complain = (error: unknown): void =>
    log.warn({ event: 'prices_unavailable', err: error }, 'prices could not be fetched')
  const first = refresh().catch(complain)
  const task = periodicTask('prices', intervalMs, log, () => refresh().catch(complain))
  return {
    current: () => prices,
    async stop() {
      await Promise.all([first, task.stop()])
    },
  }
}
