import type { Logger } from '#libs/log/logger.js'
import { periodicTask } from '#libs/runtime/periodic-task.js'
import type { Price } from '../domain/subscription.js'
import type { PaymentProvider } from '../ports.js'

/** The prices as they were last known; none before the provider was reached for the first time. */
export interface RememberedPrices {
  current(): readonly Price[]
  stop(): Promise<void>
}

/** Prices hardly ever change; until they are known they are asked for more often. */
const turnsBetween = 60
const intervalMs = 10_000

/** Asks for prices now and then, so that whoever wants to know them never waits for the provider. */
export function rememberPrices(provider: Pick<PaymentProvider, 'prices'>, log: Logger): RememberedPrices {
  let prices: readonly Price[] = []
  let turnsLeft = 0
  const ask = async (): Promise<void> => {
    turnsLeft -= 1
    if (turnsLeft > 0) return
    prices = await provider.prices()
    turnsLeft = turnsBetween
  }
  const complain = (error: unknown): void => log.warn({ err: error }, 'the prices are not known')
  const first = ask().catch(complain)
  const task = periodicTask('prices', intervalMs, log, () => ask().catch(complain))
  return {
    current: () => prices,
    async stop() {
      await Promise.all([first, task.stop()])
    },
  }
}
