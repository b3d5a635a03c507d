import { beforeEach, describe, expect, it } from 'vitest'
import { isUnavailability } from '#libs/core/domain-error.js'
import { accountId, subscriptionId } from '../domain/ids.js'
import type { Subscription } from '../domain/subscription.js'
import type { PaymentProviderSide } from './payment-provider-contract.js'

/** How every `PaymentProvider` ends what an account pays for, without giving anything back. */
export function paymentEndContract(name: string, open: () => Promise<PaymentProviderSide>): void {
  describe(name, () => {
    let side: PaymentProviderSide
    beforeEach(async () => {
      side = await open()
    })
    const subscribe = async (): Promise<Subscription> => {
      const { provider } = side
      const [account, urls] = [
        accountId('account-000002'),
        { successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' },
      ]
      const customerId = await provider.createCustomer(account, 'ada@example.com', 'end-customer')
      const order = { accountId: account, customerId, interval: 'year', ...urls } as const
      const { id } = await provider.startCheckout(order, 'end-checkout')
      const found = await provider.findSubscription(await side.pay(id))
      if (found === null) throw new Error('the paid subscription is missing')
      return found
    }
    /** Retries an unavailable call once. */
    const persist = (call: () => Promise<void>) =>
      call().catch((error: unknown) => {
        if (!isUnavailability(error)) throw error
        return call()
      })

    it('ends a subscription at once without a refund; ending it again does nothing', async () => {
      const { id } = await subscribe()
      const paid = await side.keptMinor(id)
      expect(paid).toBeGreaterThan(0)
      for (let n = 0; n < 2; n += 1) await side.provider.endSubscription(id)
      expect(await side.provider.findSubscription(id)).toMatchObject({ status: 'canceled' })
      expect(await side.keptMinor(id)).toBe(paid)
      await side.provider.endSubscription(subscriptionId('sub_unknown'))
    })

    it.each(['refused', 'lost', null] as const)(
      'deletes a customer once and ends the subscription, even if the call is %s',
      async (how) => {
        const { id, customerId } = await subscribe()
        const paid = await side.keptMinor(id)
        if (how !== null) await side.failNext(how)
        await persist(() => side.provider.deleteCustomer(customerId))
        await side.provider.deleteCustomer(customerId)
        expect(await side.provider.findSubscription(id)).toMatchObject({ status: 'canceled' })
        expect(await side.keptMinor(id)).toBe(paid)
      },
    )
  })
}
