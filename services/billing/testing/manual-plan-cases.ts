import { beforeEach, describe, expect, it } from 'vitest'
import { decidedAtTerminal, type OperatorDecision } from '#shared/core/audit-entry.js'
import { endPlanGrant, grantPlan } from '../application/grant-plan.js'
import { reconcile } from '../application/reconcile.js'
import { recheckDue } from '../application/refresh-subscription.js'
import type { SubscriptionId } from '../domain/ids.js'
import { manualPlanDaysMax } from '../domain/manual-plan.js'
import { ann, type BillingFixture, dayMs } from './billing-fixture.js'
import { type BillingSystem, billingSystem } from './billing-system.js'

const never = new AbortController().signal

/** What plans that operators give by hand do, on any storage. */
export function manualPlanCases(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let system: BillingSystem
    beforeEach(async () => {
      system = await billingSystem(await open())
    })
    const decision: OperatorDecision = { ...decidedAtTerminal('a maintainer'), message: 'Thank you.' }
    const accountOf = () => system.fixture.accounts.find(ann)
    const inDays = async (days: number) => new Date((await system.fixture.now()).getTime() + days * dayMs)
    const grant = async (days = 30) => grantPlan(system.ports(), ann, await inDays(days), decision)
    const pay = async (): Promise<SubscriptionId> => {
      const { session } = await system.checkout(ann)
      const id = system.payments.pay(session.id)
      await system.takeAll()
      return id
    }
    /** What the background job does with everything that is due now. */
    const recheckAll = async (): Promise<void> => {
      for (const id of await system.fixture.accounts.claimDue(10, 15_000))
        await recheckDue(system.ports(), id)
    }
    const entries = async () =>
      (await system.fixture.auditOutbox.claim(100, 0)).filter(({ accountId }) => accountId === ann)

    it('a grant gives Pro, delivered to each receiver with what the owner is told', async () => {
      const granted = await grant()
      expect(granted).toMatchObject({ plan: 'pro', planVersion: 1, subscription: null })
      expect(await accountOf()).toEqual(granted)
      const deliveries = await system.deliveries()
      expect(deliveries.map(({ receiver }) => receiver).sort()).toEqual(['activity', 'content', 'identity'])
      for (const { plan, version, granted: told } of deliveries)
        expect([plan, version, told]).toEqual([
          'pro',
          1,
          { until: granted.manualPlan?.until, message: 'Thank you.', shownAs: null },
        ])
    })

    it('the same grant again changes nothing and records nothing', async () => {
      const { manualPlan: given } = await grant()
      const until = given?.until ?? new Date(0)
      for (let n = 0; n < 3; n += 1) await grantPlan(system.ports(n), ann, until, decision)
      expect((await accountOf()).planVersion).toBe(1)
      expect((await system.deliveries()).length).toBe(3)
    })

    it('a grant ends by itself while the provider is down', async () => {
      await grant(1)
      await system.deliveries()
      await system.passTime(dayMs - 60_000)
      await recheckAll()
      expect((await accountOf()).plan).toBe('pro')
      await system.passTime(120_000)
      system.faults.push('refused', 'refused')
      await recheckAll()
      expect(await accountOf()).toMatchObject({ plan: 'free', planVersion: 2, manualPlan: null })
      const plans = (await system.deliveries()).map(({ plan, granted }) => [plan, granted])
      expect(plans).toEqual([
        ['free', null],
        ['free', null],
        ['free', null],
      ])
      await recheckAll()
      expect((await accountOf()).planVersion).toBe(2)
    })

    it('a grant and a subscription give Pro together, and each outlives the other', async () => {
      const subscription = await pay()
      await grant(60)
      expect(await accountOf()).toMatchObject({
        plan: 'pro',
        planVersion: 2,
        subscription: { status: 'active' },
      })
      system.payments.change(subscription, { status: 'canceled' })
      await system.takeAll()
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { status: 'canceled' } })
      await reconcile(system.ports(), never)
      expect((await accountOf()).plan).toBe('pro')
      await endPlanGrant(system.ports(), ann, decision)
      expect(await accountOf()).toMatchObject({ plan: 'free', manualPlan: null })
    })

    it('a subscription goes on when a grant ends', async () => {
      await pay()
      await grant(1)
      const { planVersion } = await accountOf()
      await system.passTime(2 * dayMs)
      await recheckAll()
      expect(await accountOf()).toMatchObject({ plan: 'pro', planVersion, manualPlan: null })
    })

    it('of grants at once by several processes one is in force, and every one is recorded', async () => {
      const until = await Promise.all(Array.from({ length: 8 }, (_value, n) => inDays(10 + n)))
      await Promise.all(until.map((end, n) => grantPlan(system.ports(n), ann, end, decision)))
      const account = await accountOf()
      expect(until.map(Number)).toContain(account.manualPlan?.until.getTime())
      expect(account.planVersion).toBe(8)
      expect(
        (await entries()).filter(({ reason }) => reason === 'a maintainer').length,
      ).toBeGreaterThanOrEqual(8)
    })

    it('must end in the future, within ten years', async () => {
      for (const days of [-1, 0, manualPlanDaysMax + 1])
        await expect(grant(days)).rejects.toMatchObject({ code: 'validation_failed' })
      expect((await accountOf()).planVersion).toBe(0)
    })

    it('cannot be ended where there is none', async () => {
      await expect(endPlanGrant(system.ports(), ann, decision)).rejects.toMatchObject({ code: 'not_found' })
      await grant(1)
      await endPlanGrant(system.ports(), ann, decision)
      await expect(endPlanGrant(system.ports(), ann, decision)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('is counted in what operators see of payments', async () => {
      await pay()
      await grant()
      const figures = await system.fixture.oversight.figures()
      expect(figures).toMatchObject({ liveSubscriptions: 1, planGrants: 1, pastDueSubscriptions: 0 })
      expect(figures.lastEventAt).toBeInstanceOf(Date)
      const [deliveries] = figures.queues
      expect(deliveries).toMatchObject({ name: 'plan_deliveries', waiting: 6, failing: 0 })
    })
  })
}
