import { beforeEach, describe, expect, it } from 'vitest'
import { closeAccount, eraseAccount } from '../application/close-account.js'
import { grantPlan } from '../application/grant-plan.js'
import { processEvent } from '../application/refresh-subscription.js'
import { ann, type BillingFixture, bob, providerEvent } from './billing-fixture.js'
import { type BillingSystem, billingSystem } from './billing-system.js'

/** What billing does for closed and erased accounts, on any storage. */
export function closureCases(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let system: BillingSystem
    beforeEach(async () => {
      system = await billingSystem(await open())
    })
    const accountOf = (id = ann) => system.fixture.accounts.find(id)
    const pay = async (id = ann) => {
      const { session } = await system.checkout(id)
      const paid = system.payments.pay(session.id)
      await system.takeAll()
      return paid
    }
    /** Repeats a step until it succeeds, as the worker does. */
    const persist = async (step: () => Promise<void>): Promise<void> => {
      for (let tries = 0; ; tries += 1) {
        try {
          return await step()
        } catch (error) {
          if (tries === 9) throw error
          await system.takeAll().catch(() => undefined)
        }
      }
    }
    const close = () => closeAccount(system.ports(), ann)
    const erase = () => eraseAccount(system.ports(), ann)

    it('ends the subscription at once, without a refund, and the account is on Free', async () => {
      const paid = await pay()
      await close()
      expect(await accountOf()).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
      expect(system.payments.subscriptions.get(paid)?.keptMinor).toBeGreaterThan(0)
      await close()
      expect((await accountOf()).planVersion).toBe(2)
    })

    it.each(['refused', 'lost'] as const)(
      'ends it when the provider is down, once calls are not %s',
      async (how) => {
        const paid = await pay()
        system.faults.push(how, how, how)
        await expect(close()).rejects.toMatchObject({ code: 'unavailable' })
        await persist(close)
        expect(system.payments.subscriptions.get(paid)?.now.status).toBe('canceled')
        expect((await accountOf()).plan).toBe('free')
      },
    )

    it('closes an open checkout, so that nobody pays for a closed account', async () => {
      const { session } = await system.checkout(ann)
      await close()
      expect(() => system.payments.pay(session.id)).toThrow()
      expect((await accountOf()).checkout?.state).toBe('over')
    })

    it('ends a subscription that was paid at the moment of the closure', async () => {
      const { session } = await system.checkout(ann)
      const paid = system.payments.pay(session.id)
      await expect(close()).rejects.toMatchObject({ code: 'unavailable' })
      await persist(close)
      expect(system.payments.subscriptions.get(paid)?.now.status).toBe('canceled')
    })

    it('does nothing for an account that never paid', async () => {
      await close()
      await erase()
      expect(await accountOf()).toMatchObject({ customerId: null, planVersion: 0 })
    })

    it.each(['refused', 'lost', null] as const)(
      'erases the account and its customer, even if a call is %s',
      async (how) => {
        const paid = await pay()
        await pay(bob)
        const customer = (await accountOf()).customerId
        if (how !== null) system.faults.push(how)
        await persist(erase)
        await erase()
        expect(await accountOf()).toMatchObject({ customerId: null, subscription: null, planVersion: 0 })
        expect(customer !== null && system.payments.customers.has(customer)).toBe(false)
        expect(system.payments.subscriptions.get(paid)?.now.status).toBe('canceled')
        expect(await accountOf(bob)).toMatchObject({ plan: 'pro' })
        expect((await system.deliveries()).filter(({ accountId }) => accountId === ann)).toEqual([])
      },
    )

    it('no late event, checkout or grant brings the account back', async () => {
      await pay()
      await erase()
      const event = providerEvent('late')
      expect(await processEvent(system.ports(), event)).toBe('foreign')
      const until = new Date((await system.fixture.now()).getTime() + 1_000_000)
      const decision = { operatorId: 'o', operatorName: '', reason: 'r', message: '', shownAs: null }
      await expect(grantPlan(system.ports(), ann, until, decision)).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(system.checkout(ann)).rejects.toMatchObject({ code: 'not_found' })
      expect(await accountOf()).toMatchObject({ customerId: null, plan: 'free', planVersion: 0 })
    })
  })
}
