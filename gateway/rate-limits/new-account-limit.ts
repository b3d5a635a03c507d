import type { RatePolicy } from '../request/counted-request.js'
import { createIsWithin, loopbackNetworks } from './client-address.js'
import { countDecision, RateLimited } from './rate-limits.js'
import { createTakeInNetwork, type SlidingWindow } from './sliding-window.js'

/** `::1` as it is counted. */
const loopbackV6 = '::/64'

/**
 * The limit of all gateways together. Loopback is exempt: it is the operator.
 * @param policy `null` for no limit.
 */
export function createNewAccountLimit(policy: RatePolicy | null, window: Pick<SlidingWindow, 'take'>) {
  if (policy === null) return { take: async () => () => {} }
  const isLoopback = createIsWithin(loopbackNetworks)
  const takeInNetwork = createTakeInNetwork(window)
  return {
    /**
     * Counts an account that is about to be created; the returned function uncounts it.
     * @throws RateLimited
     */
    async take(clientAddress: string) {
      if (clientAddress === loopbackV6 || isLoopback(clientAddress)) return () => {}
      const { admitted, resetMs, refund } = await takeInNetwork(clientAddress, policy)
      countDecision(policy, admitted)
      if (!admitted) throw new RateLimited(policy, resetMs, 'new accounts from one address')
      return refund
    },
  }
}

/** Limits how many accounts are created from one address. */
export type NewAccountLimit = Readonly<ReturnType<typeof createNewAccountLimit>>
