import { beforeEach, describe, expect, it } from 'vitest'
import { setCancellation } from '../application/manage-subscription.js'
import { reconcile } from '../application/reconcile.js'
import { recheckDue } from '../application/refresh-subscription.js'
import { type AccountId, accountId, customerId, type SubscriptionId, subscriptionId } from '../domain/ids.js'
import { planReceivers } from '../domain/manual-plan.js'
import type { ProviderEvent } from '../domain/provider-event.js'
import { graceMs, type Subscription } from '../domain/subscription.js'
import { ann, type BillingFixture, bob, dayMs, sequence } from './billing-fixture.js'
import { type BillingSystem, billingSystem } from './billing-system.js'

function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items]
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

const never = new AbortController().signal

/** What events of the provider do, on any storage. */
export function eventCases(name: string, open: () => Promise<BillingFixture>): void {
  describe(name, () => {
    let system: BillingSystem
    beforeEach(async () => {
      system = await billingSystem(await open())
    })
    const accountOf = (id: AccountId = ann) => system.fixture.accounts.find(id)
    const pay = async (id: AccountId = ann, request = {}): Promise<SubscriptionId> => {
      const { session } = await system.checkout(id, request)
      return system.payments.pay(session.id)
    }
    const plans = async () => (await system.deliveries()).map(({ plan, version }) => `${plan} ${version}`)

    it('a payment gives Pro, delivered once to each receiver, however often its events arrive', async () => {
      await pay()
      const { events } = system.payments
      await system.take([...events, ...events, ...events])
      expect(await accountOf()).toMatchObject({ plan: 'pro', planVersion: 1, checkout: { state: 'over' } })
      const deliveries = await system.deliveries()
      expect(deliveries.map(({ receiver }) => receiver).sort()).toEqual([...planReceivers].sort())
      expect(new Set(deliveries.map(({ plan, version }) => `${plan} ${version}`))).toEqual(new Set(['pro 1']))
    })

    it('an event that arrives a hundred times at two processes has one effect', async () => {
      await pay()
      const [event] = system.payments.events
      await system.take(Array.from({ length: 100 }, () => event).filter((one) => one !== undefined))
      expect(await plans()).toEqual(['pro 1', 'pro 1', 'pro 1'])
    })

    it('five events with duplicates end the same in all 120 orders, and have one effect each', async () => {
      const life: readonly Partial<Subscription>[] = [
        { interval: 'year' },
        { cancelAtPeriodEnd: true },
        { status: 'past_due', overdueSince: await system.fixture.now() },
        { status: 'active', overdueSince: null, cancelAtPeriodEnd: false },
        { status: 'canceled' },
      ]
      for (const [n, order] of orders(life.map((_, step) => step)).entries()) {
        const id = accountId(`order${n}`)
        const subscription = await pay(id)
        const from = system.payments.events.length
        for (const change of life) system.payments.change(subscription, change)
        const events = system.payments.events.slice(from)
        // The provider's state advances each time one of its events arrives, whichever it is.
        for (const [step, which] of order.entries()) {
          const now: Partial<Subscription> = Object.assign({}, ...life.slice(0, step + 1))
          const { interval = 'month', status = 'active' } = now
          const { cancelAtPeriodEnd = false, overdueSince = null } = now
          system.payments.change(subscription, { interval, status, cancelAtPeriodEnd, overdueSince })
          const event = events[which]
          if (event !== undefined) await system.take([event, event])
        }
        await system.take([...events, ...events].toReversed())
        expect(await accountOf(id)).toMatchObject({
          plan: 'free',
          planVersion: 2,
          subscription: { status: 'canceled', interval: 'year' },
        })
      }
      const deliveries = await system.deliveries()
      expect(deliveries).toHaveLength(120 * 2 * planReceivers.length)
      expect(new Set(deliveries.map(({ plan, version }) => `${plan} ${version}`))).toEqual(
        new Set(['pro 1', 'free 2']),
      )
    })

    it('a late event of an old subscription never affects its successor', async () => {
      const old = await pay()
      await system.takeAll()
      system.payments.change(old, { status: 'canceled' })
      await system.takeAll()
      await system.passTime(1_000)
      const young = await pay()
      await system.takeAll()
      await system.deliveries()
      const late = system.payments.events.filter((event) => event.subscriptionId === old)
      await system.take(late.map((event, n) => ({ ...event, id: `late${n}` })))
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { id: young, status: 'active' } })
      expect(await system.deliveries()).toEqual([])
      system.payments.change(young, { status: 'canceled' })
      await system.takeAll()
      await system.take(late.map((event, n) => ({ ...event, id: `later${n}` })))
      expect((await accountOf()).subscription).toMatchObject({ id: young, status: 'canceled' })
    })

    it('a subscription that follows one whose end was not announced is kept, not refunded', async () => {
      const old = await pay()
      await system.takeAll()
      system.payments.change(old, { status: 'canceled' })
      const { events } = system.payments
      const customer = (await accountOf()).customerId ?? customerId('')
      const order = { accountId: ann, customerId: customer, interval: 'year' as const }
      const urls = { successUrl: 'https://a.example', cancelUrl: 'https://a.example' }
      const session = await system.ports().provider.startCheckout({ ...order, ...urls }, 'another')
      const young = system.payments.pay(session.id)
      await system.take(events.filter((event) => event.subscriptionId === young))
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { id: young }, unwanted: [] })
    })

    it('if an account pays for two subscriptions, the later one is ended and refunded', async () => {
      const first = await pay()
      await system.takeAll()
      const customer = (await accountOf()).customerId ?? customerId('')
      const order = { accountId: ann, customerId: customer, interval: 'year' as const }
      const urls = { successUrl: 'https://a.example', cancelUrl: 'https://a.example' }
      const session = await system.ports().provider.startCheckout({ ...order, ...urls }, 'another')
      const second = system.payments.pay(session.id)
      await system.takeAll()
      expect((await accountOf()).unwanted).toEqual([second])
      await system.undo()
      await system.takeAll()
      expect(await accountOf()).toMatchObject({ subscription: { id: first, status: 'active' }, unwanted: [] })
      expect(system.payments.subscriptions.get(second)).toMatchObject({
        keptMinor: 0,
        elsewhere: false,
        now: { status: 'canceled' },
      })
    })

    it('50 concurrent payments for one e-mail address leave one subscription, and the rest are refunded', async () => {
      const email = { email: 'same@example.com' }
      const ids = Array.from({ length: 50 }, (_, n) => accountId(`racer${n}`))
      const sessions = await Promise.all(ids.map((id, process) => system.checkout(id, { ...email, process })))
      for (const { session } of sessions) system.payments.pay(session.id)
      await system.takeAll()
      await system.undo()
      await system.takeAll()
      const kept = [...system.payments.subscriptions.values()].filter(({ keptMinor }) => keptMinor > 0)
      expect(kept).toHaveLength(1)
      expect(await system.fixture.accounts.subscribers()).toHaveLength(1)
      const held = await Promise.all(ids.map(accountOf))
      expect(held.filter(({ plan }) => plan === 'pro')).toHaveLength(1)
    })

    it('a subscription changed to something else no longer gives Pro, and does not block a new one for Pro', async () => {
      const other = await pay()
      await system.take(system.payments.events)
      system.payments.sellElse(other)
      await system.take(system.payments.events)
      expect(await accountOf()).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
      const { session } = await system.checkout(ann, {})
      const next = system.payments.pay(session.id)
      await system.take(system.payments.events)
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { id: next }, unwanted: [] })
      expect(system.payments.subscriptions.get(other)).toMatchObject({
        now: { status: 'active' },
        keptMinor: 500,
      })
    })

    it('a customer’s other purchases are not refunded, and do not give Pro', async () => {
      const ours = await pay()
      await system.take(system.payments.events)
      system.payments.addElse(subscriptionId('sub_of_a_mug'), ours)
      await system.take(system.payments.events)
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { id: ours }, unwanted: [] })
      expect(await reconcile(system.ports(), never)).toEqual({ seen: 1, corrected: 0, failed: 0 })
    })

    it('an address is free as soon as its subscription has ended, even without an event', async () => {
      const held = await pay(ann, { email: 'same@example.com' })
      const { session } = await system.checkout(bob, { email: 'same@example.com' })
      await system.takeAll()
      system.payments.change(held, { status: 'canceled' })
      const subscription = system.payments.pay(session.id)
      await system.take(system.payments.events.filter((event) => event.subscriptionId === subscription))
      expect(await accountOf(bob)).toMatchObject({ plan: 'pro', unwanted: [] })
      expect(await accountOf(ann)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
    })

    it('a failed payment keeps Pro for exactly seven days, even while the provider is down', async () => {
      const id = await pay()
      await system.takeAll()
      const now = (await system.fixture.now()).getTime()
      const failedAt = (ms: number) =>
        system.payments.change(id, { status: 'past_due', overdueSince: new Date(ms) })
      failedAt(now - graceMs + 30_000)
      await system.takeAll()
      expect(await accountOf()).toMatchObject({ plan: 'pro', subscription: { status: 'past_due' } })
      expect(await system.fixture.accounts.claimDue(10, 100)).toEqual([])
      await system.passTime(30_100)
      expect(await system.fixture.accounts.claimDue(10, 100)).toEqual([ann])
      system.faults.push('refused')
      await expect(recheckDue(system.ports(), ann)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await accountOf()).toMatchObject({ plan: 'free', subscription: { status: 'past_due' } })
      system.payments.change(id, { status: 'active', overdueSince: null })
      await system.takeAll()
      expect(await accountOf()).toMatchObject({ plan: 'pro', planVersion: 3 })
      failedAt(now - graceMs - 1)
      await system.takeAll()
      expect((await accountOf()).plan).toBe('free')
    })

    it('events of others, of the wrong mode and about other objects change nothing', async () => {
      const subscription = await pay()
      const [template] = system.payments.events
      if (template === undefined) throw new Error('no event')
      const odd: readonly ProviderEvent[] = [
        { ...template, id: 'a', modeMatches: false },
        { ...template, id: 'b', customerId: customerId('cus_of_another') },
        { ...template, id: 'c', customerId: null },
        { ...template, id: 'd', subscriptionId: null, checkoutId: null },
        { ...template, id: 'e', subscriptionId: subscriptionId('sub_unknown') },
      ]
      await system.take(odd)
      expect(await accountOf()).toMatchObject({ plan: 'free', subscription: null })
      const stranger = await pay(bob)
      await system.take([{ ...template, id: 'f', subscriptionId: stranger }])
      expect((await accountOf()).subscription).toBeNull()
      await system.take([{ ...template, id: 'g', subscriptionId: subscription }])
      expect((await accountOf()).plan).toBe('pro')
    })

    it('a cancellation takes effect at the end of the period and can be undone, and a missed end is found', async () => {
      const id = await pay()
      await system.takeAll()
      const ports = system.ports()
      expect((await setCancellation(ports, ann, true)).subscription?.cancelAtPeriodEnd).toBe(true)
      expect((await setCancellation(ports, ann, true)).plan).toBe('pro')
      expect((await setCancellation(ports, ann, false)).subscription?.cancelAtPeriodEnd).toBe(false)
      await setCancellation(ports, ann, true)
      // Changed at the provider itself, whose event has not arrived yet.
      system.payments.change(id, { cancelAtPeriodEnd: false })
      await setCancellation(ports, ann, true)
      expect(system.payments.subscriptions.get(id)?.now.cancelAtPeriodEnd).toBe(true)
      await system.passTime(32 * dayMs)
      expect(system.payments.subscriptions.get(id)?.now.status).toBe('canceled')
      await recheckDue(ports, ann)
      expect(await accountOf()).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
      await expect(setCancellation(ports, ann, false)).rejects.toMatchObject({ code: 'not_found' })
      await expect(setCancellation(ports, bob, true)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('1,000 events with 30 % duplicates at two processes have one effect each', async () => {
      const next = sequence(7)
      const ids = Array.from({ length: 100 }, (_, n) => accountId(`many${n}`))
      for (const id of ids) await pay(id)
      for (const { now } of [...system.payments.subscriptions.values()]) {
        for (let n = 0; n < 5; n += 1) system.payments.change(now.id, { cancelAtPeriodEnd: n % 2 === 0 })
      }
      const once = system.payments.events.slice(0, 700)
      const sent = [...once, ...Array.from({ length: 300 }, () => once[Math.floor(next() * once.length)])]
      await system.take(sent.filter((one) => one !== undefined).toSorted(() => next() - 0.5))
      expect(await plans()).toEqual(Array.from({ length: 300 }, () => 'pro 1'))
    })

    it('a reconciliation of 500 accounts repairs every fifth event that was lost', async () => {
      const next = sequence(11)
      const ids = Array.from({ length: 500 }, (_, n) => accountId(`drift${n}`))
      for (const id of ids) await pay(id)
      const subscriptions = [...system.payments.subscriptions.keys()]
      for (const [n, id] of subscriptions.entries()) {
        if (n % 7 === 0) system.payments.change(id, { status: 'canceled' })
        if (n % 11 === 0) system.payments.change(id, { cancelAtPeriodEnd: true })
      }
      await system.take(system.payments.events.filter(() => next() > 0.2))
      const first = await reconcile(system.ports(), never)
      expect(first).toMatchObject({ seen: 500, failed: 0 })
      expect(await reconcile(system.ports(1), never)).toEqual({ seen: 500, corrected: 0, failed: 0 })
      for (const id of ids) {
        const { plan, subscription } = await accountOf(id)
        const truth = system.payments.subscriptions.get(subscription?.id ?? subscriptionId(''))?.now
        expect(subscription).toEqual(truth)
        expect(plan).toBe(truth?.status === 'active' ? 'pro' : 'free')
      }
    })

    it('a reconciliation ends what the provider no longer knows', async () => {
      const gone = await pay(ann)
      await pay(bob)
      await system.takeAll()
      system.payments.subscriptions.delete(gone)
      expect(await reconcile(system.ports(), never)).toEqual({ seen: 1, corrected: 1, failed: 0 })
      expect(await accountOf(ann)).toMatchObject({ plan: 'free', subscription: { status: 'canceled' } })
      expect((await accountOf(bob)).plan).toBe('pro')
    })
  })
}
