import { beforeEach, describe, expect, it } from 'vitest'
import { withSubscription } from '../domain/billing-account.js'
import { subscriptionId } from '../domain/ids.js'
import type { PlanDelivery } from '../domain/manual-plan.js'
import {
  ann,
  type BillingFixture,
  bob,
  dayMs,
  providerEvent,
  subscriptionAt,
} from '../testing/billing-fixture.js'

const leaseMs = 15_000

/** The behaviour of every `EventLog`, `PlanOutbox` and `ReconciliationSchedule`. */
export function queueContract(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let fixture: BillingFixture
    beforeEach(async () => {
      fixture = await open()
    })
    /** Toggles the plan of an account. */
    const change = (id = ann) =>
      fixture.accounts.update(id, (account, now) => {
        const status = account.plan === 'pro' ? 'canceled' : 'active'
        return withSubscription(
          account,
          subscriptionAt(now, { status, id: subscriptionId(`sub_${id}`) }),
          now,
        )
      })

    it('stores an event once, however often and wherever it arrives', async () => {
      const event = providerEvent('evt_1')
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          (n % 2 === 0 ? fixture : fixture.another()).eventLog.record(event),
        ),
      )
      expect(results.filter(Boolean)).toHaveLength(1)
      expect(await fixture.eventLog.claim(10, leaseMs)).toEqual([event])
    })

    it('leases an event to one worker at a time, until it is finished', async () => {
      const nothing = { customerId: null, subscriptionId: null, checkoutId: null, modeMatches: false }
      await fixture.eventLog.record(providerEvent('evt_1', nothing))
      expect(await fixture.eventLog.claim(10, leaseMs)).toEqual([providerEvent('evt_1', nothing)])
      expect(await fixture.another().eventLog.claim(10, leaseMs)).toEqual([])
      await fixture.passTime(leaseMs + 1)
      expect(await fixture.another().eventLog.claim(10, leaseMs)).toHaveLength(1)
      await fixture.eventLog.finish('evt_1', 'ignored')
      await fixture.eventLog.postpone('evt_1')
      await fixture.passTime(dayMs)
      expect(await fixture.eventLog.claim(10, leaseMs)).toEqual([])
      expect(await fixture.eventLog.record(providerEvent('evt_1'))).toBe(false)
    })

    it('retries a postponed event after 1, 2 and 4 seconds, and without end', async () => {
      await fixture.eventLog.record(providerEvent('evt_1'))
      for (const seconds of [1, 2, 4]) {
        expect(await fixture.eventLog.claim(10, leaseMs)).toHaveLength(1)
        await fixture.eventLog.postpone('evt_1')
        await fixture.passTime(seconds * 1_000 - 500)
        expect(await fixture.eventLog.claim(10, leaseMs)).toEqual([])
        await fixture.passTime(501)
      }
      for (let times = 0; times < 30; times += 1) {
        expect(await fixture.eventLog.claim(10, leaseMs)).toHaveLength(1)
        await fixture.eventLog.postpone('evt_1')
        await fixture.passTime(300_001)
      }
    })

    it('deletes events that were processed more than 30 days ago, and no pending ones', async () => {
      await fixture.eventLog.record(providerEvent('evt_1'))
      await fixture.eventLog.record(providerEvent('evt_2'))
      await fixture.eventLog.finish('evt_1', 'applied')
      await fixture.passTime(29 * dayMs)
      expect(await fixture.eventLog.forgetOld(new AbortController().signal)).toBe(0)
      await fixture.passTime(dayMs + 1)
      expect(await fixture.eventLog.forgetOld(new AbortController().signal)).toBe(1)
      expect(await fixture.eventLog.claim(10, leaseMs)).toEqual([providerEvent('evt_2')])
    })

    it('delivers every change to every receiver, in order per account', async () => {
      await change()
      await change()
      await change(bob)
      const first = await fixture.outbox.claim(20, leaseMs)
      const summary = (ones: readonly PlanDelivery[]) =>
        ones
          .map(({ accountId, receiver, plan, version }) => `${accountId} ${receiver} ${plan} ${version}`)
          .sort()
      const of = (id: string, plan: string, version: number) =>
        ['activity', 'content', 'identity'].map((receiver) => `${id} ${receiver} ${plan} ${version}`)
      expect(summary(first)).toEqual([...of('ann', 'pro', 1), ...of('bob', 'pro', 1)])
      expect(await fixture.another().outbox.claim(20, leaseMs)).toEqual([])
      const [identity, ...others] = first.toSorted((a) => (a.receiver === 'identity' ? -1 : 1))
      for (const delivery of others) await fixture.outbox.finish(delivery)
      if (identity !== undefined) await fixture.outbox.postpone(identity)
      await fixture.passTime(251)
      const second = await fixture.outbox.claim(20, leaseMs)
      const late = `${identity?.accountId} identity pro 1`
      const expected = of('ann', 'free', 2).filter(
        (one) => late !== 'ann identity pro 1' || !/identity/.test(one),
      )
      expect(summary(second)).toEqual([...expected, late].sort())
    })

    it('delivers nothing if no plan has changed', async () => {
      await fixture.accounts.update(ann, (account, now) =>
        withSubscription(account, subscriptionAt(now, { status: 'incomplete' }), now),
      )
      expect(await fixture.outbox.claim(20, leaseMs)).toEqual([])
    })

    it('keeps the first response of an idempotency key for a day, per account', async () => {
      const { idempotency } = fixture
      const { signal } = new AbortController()
      const stored = (response: string) => ({ fingerprint: 'f', response })
      expect(await idempotency.find(ann, 'key')).toBeNull()
      expect(await idempotency.store(ann, 'key', stored('1'))).toEqual(stored('1'))
      expect(await fixture.another().idempotency.store(ann, 'key', stored('2'))).toEqual(stored('1'))
      expect(await idempotency.find(ann, 'key')).toEqual(stored('1'))
      expect(await idempotency.find(bob, 'key')).toBeNull()
      await fixture.passTime(dayMs - 5_000)
      expect(await idempotency.deleteExpired(signal)).toBe(0)
      await fixture.passTime(5_001)
      expect(await idempotency.find(ann, 'key')).toBeNull()
      expect(await idempotency.store(ann, 'key', stored('3'))).toEqual(stored('3'))
      await fixture.passTime(dayMs + 1)
      expect(await idempotency.deleteExpired(signal)).toBe(1)
    })

    it('lets one process reconcile per day, and another if that one dies', async () => {
      const claims = await Promise.all([
        fixture.reconciliation.claim(leaseMs),
        fixture.another().reconciliation.claim(leaseMs),
      ])
      expect(claims.filter(Boolean)).toHaveLength(1)
      await fixture.passTime(leaseMs + 1)
      expect(await fixture.reconciliation.claim(leaseMs)).toBe(true)
      await fixture.reconciliation.finish()
      await fixture.passTime(leaseMs + 1)
      expect(await fixture.reconciliation.claim(leaseMs)).toBe(false)
      await fixture.passTime(dayMs)
      expect(await fixture.reconciliation.claim(leaseMs)).toBe(true)
    })
  })
}
