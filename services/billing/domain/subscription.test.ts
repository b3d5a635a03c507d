import { describe, expect, it } from 'vitest'
import { customerId, subscriptionId } from './ids.js'
import {
  continued,
  graceMs,
  isLive,
  nextRecheck,
  planOf,
  type Subscription,
  type SubscriptionStatus,
  supersession,
} from './subscription.js'

const now = new Date('2030-06-01T00:00:00Z')
const at = (ms: number) => new Date(now.getTime() + ms)
const subscription = (fields: Partial<Subscription> = {}): Subscription => ({
  id: subscriptionId('sub_1'),
  customerId: customerId('cus_1'),
  status: 'active',
  interval: 'month',
  startedAt: at(-1_000),
  currentPeriodEnd: at(1_000),
  cancelAtPeriodEnd: false,
  overdueSince: null,
  ...fields,
})

describe('a subscription', () => {
  it('gives Pro while active or on trial, and otherwise only in the grace period of an overdue payment', () => {
    const plans: Record<SubscriptionStatus, string> = {
      active: 'pro',
      trialing: 'pro',
      incomplete: 'free',
      past_due: 'free',
      unpaid: 'free',
      paused: 'free',
      canceled: 'free',
    }
    for (const status of Object.keys(plans) as SubscriptionStatus[])
      expect([status, planOf(subscription({ status }), now)]).toEqual([status, plans[status]])
    expect(planOf(null, now)).toBe('free')
  })

  it('keeps Pro for exactly seven days after a payment became overdue', () => {
    const overdue = (ms: number) => planOf(subscription({ status: 'past_due', overdueSince: at(ms) }), now)
    expect(graceMs).toBe(604_800_000)
    expect([overdue(-graceMs + 1), overdue(-graceMs), overdue(0)]).toEqual(['pro', 'free', 'pro'])
  })

  it('blocks a second one in every state except before the first payment and after its end', () => {
    const live = (['trialing', 'active', 'past_due', 'unpaid', 'paused'] as const).map((status) =>
      isLive({ status }),
    )
    expect(live).toEqual([true, true, true, true, true])
    expect([isLive({ status: 'incomplete' }), isLive({ status: 'canceled' })]).toEqual([false, false])
  })

  it('replaces another or not, in whatever order the two become known', () => {
    const old = subscription({ id: subscriptionId('sub_a'), status: 'canceled', startedAt: at(-9_000) })
    const young = subscription({ id: subscriptionId('sub_b'), status: 'canceled' })
    const going = subscription({ id: subscriptionId('sub_c'), startedAt: at(-5_000) })
    expect([supersession(old, young), supersession(young, old)]).toEqual(['superseded', 'takes-over'])
    expect([supersession(old, going), supersession(going, old)]).toEqual(['superseded', 'takes-over'])
    expect([supersession(young, going), supersession(going, young)]).toEqual(['superseded', 'takes-over'])
    expect(supersession(subscription(), going)).toBe('rival')
    expect([supersession(going, going), supersession(going, null), supersession(old, null)]).toEqual(
      Array(3).fill('takes-over'),
    )
    const twin = { ...young, id: subscriptionId('sub_z') }
    expect([supersession(twin, young), supersession(young, twin)]).toEqual(['takes-over', 'superseded'])
  })

  it('has one grace period while overdue, even if more payments are missed', () => {
    const known = subscription({ status: 'past_due', overdueSince: at(-5_000) })
    const later = subscription({ status: 'past_due', overdueSince: now })
    expect([continued(later, known), continued(known, later)]).toEqual([known, known])
    expect(continued(subscription(), known)).toEqual(subscription())
    expect(continued(later, subscription())).toEqual(later)
    expect(continued({ ...later, id: subscriptionId('sub_2') }, known).overdueSince).toEqual(now)
    expect(continued(later, { ...known, overdueSince: null })).toEqual(later)
  })

  it('is rechecked when its grace period ends, and soon after the end of a cancelled period', () => {
    expect(nextRecheck(subscription(), now)).toBeNull()
    expect(nextRecheck(null, now)).toBeNull()
    const overdue = subscription({ status: 'past_due', overdueSince: now })
    expect(nextRecheck(overdue, now)).toEqual(at(graceMs))
    expect(nextRecheck(overdue, at(graceMs))).toBeNull()
    const ending = subscription({ cancelAtPeriodEnd: true })
    expect(nextRecheck(ending, now)).toEqual(at(61_000))
    expect(nextRecheck(ending, at(61_000))).toEqual(at(121_000))
    expect(nextRecheck({ ...ending, status: 'canceled' }, now)).toBeNull()
  })
})
