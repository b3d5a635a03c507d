import { beforeEach, describe, expect, it } from 'vitest'
import { accountId, type CustomerId } from '../domain/ids.js'
import { ann, type BillingFixture, bob, dayMs, sequence } from './billing-fixture.js'
import { type BillingSystem, billingSystem } from './billing-system.js'
import type { PaymentFault } from './memory-payment-provider.js'

const rounds = process.env.TEST_LONG === 'true' ? 100 : 50

/** What starting a checkout promises, on any storage. */
export function checkoutCases(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let system: BillingSystem
    beforeEach(async () => {
      system = await billingSystem(await open())
    })
    const pay = async (id = ann, request = {}) => {
      const { session } = await system.checkout(id, request)
      const subscription = system.payments.pay(session.id)
      await system.takeAll()
      return subscription
    }
    const refusal = (checkout: Promise<unknown>) =>
      checkout.then(
        () => null,
        (error: { code?: string }) => error.code,
      )

    it(`50 concurrent checkouts create one page for all, in each of ${rounds} rounds`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const id = accountId(`user${round}`)
        // A process handles the checkouts of an account in order; two processes run concurrently.
        const inProcess = async (process: number) => {
          const started = []
          for (let n = 0; n < 25; n += 1) started.push(await system.checkout(id, { process }))
          return started
        }
        const started = (await Promise.all([inProcess(0), inProcess(1)])).flat()
        expect(started.filter(({ created }) => created)).toHaveLength(1)
        expect(new Set(started.map(({ session }) => session.url)).size).toBe(1)
      }
      expect(system.payments.customers.size).toBe(rounds)
      expect(system.payments.checkouts.size).toBe(rounds)
    })

    it('returns the same page while it can be paid, then a new one for the same customer', async () => {
      const first = await system.checkout(ann)
      expect(first.created).toBe(true)
      expect(await system.checkout(ann)).toEqual({ ...first, created: false })
      await system.passTime(dayMs)
      const second = await system.checkout(ann)
      expect(second.created).toBe(true)
      expect(second.session.id).not.toBe(first.session.id)
      expect(system.payments.customers.size).toBe(1)
    })

    it('closes the monthly page when yearly is requested, unless it was paid', async () => {
      const month = await system.checkout(ann)
      const year = await system.checkout(ann, { interval: 'year' })
      expect(year.created).toBe(true)
      expect(system.payments.checkouts.get(month.session.id)?.state).toBe('expired')
      system.payments.pay(year.session.id)
      expect(await refusal(system.checkout(ann, { interval: 'month' }))).toBe('already_subscribed')
      await system.takeAll()
      expect((await system.fixture.accounts.find(ann)).subscription?.interval).toBe('year')
      expect(system.payments.subscriptions.size).toBe(1)
    })

    it('refuses a subscriber, and anyone with the same verified address in any letter case', async () => {
      await pay(ann, { email: 'Ann@Example.com' })
      expect(await refusal(system.checkout(ann))).toBe('already_subscribed')
      expect(await refusal(system.checkout(bob, { email: 'ann@example.COM' }))).toBe('already_subscribed')
      const others = [
        { email: 'ann@example.com', emailVerified: false },
        { email: null },
        { email: 'an\u006e\u0303@example.com' },
        { email: 'ann@example.co' },
      ]
      for (const [n, request] of others.entries()) {
        expect(await refusal(system.checkout(accountId(`other${n}`), request))).toBeNull()
      }
    })

    it('does not treat U+212A as k, nor an unverified address as taken', async () => {
      await pay(ann, { email: 'k@example.com' })
      expect(await refusal(system.checkout(bob, { email: '\u212a@example.com' }))).toBeNull()
      await pay(accountId('carl'), { email: 'carl@example.com', emailVerified: false })
      expect(await refusal(system.checkout(accountId('dora'), { email: 'carl@example.com' }))).toBeNull()
    })

    it('lets a former subscriber subscribe again', async () => {
      const first = await pay()
      system.payments.change(first, { status: 'canceled' })
      await system.takeAll()
      const second = await pay()
      expect((await system.fixture.accounts.find(ann)).subscription).toMatchObject({
        id: second,
        status: 'active',
      })
      expect(system.payments.customers.size).toBe(1)
    })

    it('finds its page again after lost responses, and fails clearly until then', async () => {
      system.faults.push('lost')
      expect(await refusal(system.checkout(ann))).toBe('unavailable')
      system.faults.push('lost')
      expect(await refusal(system.checkout(ann))).toBe('unavailable')
      system.faults.push('refused')
      expect(await refusal(system.checkout(ann))).toBe('unavailable')
      expect((await system.checkout(ann)).created).toBe(true)
      expect([system.payments.customers.size, system.payments.checkouts.size]).toEqual([1, 1])
    })

    it('200 random faults leave one subscription, one customer and one paid page each', async () => {
      const next = sequence(3)
      let failures = 0
      for (let n = 0; n < 200; n += 1) {
        const id = accountId(`faulty${n}`)
        for (;;) {
          const faults = Array.from(
            { length: 1 + (n % 3) },
            (): PaymentFault => (next() < 0.5 ? 'lost' : 'refused'),
          )
          if (failures < 200) system.faults.push(...faults)
          const started = await system.checkout(id).catch(() => null)
          failures += started === null ? 1 : 0
          if (started === null) continue
          system.faults.length = 0
          system.payments.pay(started.session.id)
          break
        }
      }
      await system.takeAll()
      const customers = new Set<CustomerId>()
      for (const { now } of system.payments.subscriptions.values()) customers.add(now.customerId)
      expect(system.payments.subscriptions.size).toBe(200)
      expect([customers.size, system.payments.customers.size]).toEqual([200, 200])
      expect(failures).toBeGreaterThanOrEqual(200)
    })
  })
}
