import { describe, expect, it } from 'vitest'
import { stripeSubscription } from '../testing/stripe-objects.js'
import { readSubscription } from './stripe-subscription.js'

const [startedAt, periodStart, periodEnd] = [1_893_456_000, 1_896_134_400, 1_898_812_800]
const date = (seconds: number) => new Date(seconds * 1000)
const price = (interval: string) => ({
  id: 'price_1',
  object: 'price',
  recurring: { interval, interval_count: 1 },
})
const items = (interval = 'month') => ({
  object: 'list',
  data: [{ current_period_start: periodStart, current_period_end: periodEnd, price: price(interval) }],
})

const read = (changes: object = {}, prices = ['price_1']) =>
  readSubscription(stripeSubscription({ created: startedAt, items: items(), ...changes }), new Set(prices))

describe('a subscription of Stripe', () => {
  it('is read with its ids, times and interval', () => {
    expect(read()).toEqual({
      id: 'sub_1',
      customerId: 'cus_1',
      status: 'active',
      interval: 'month',
      startedAt: date(startedAt),
      currentPeriodEnd: date(periodEnd),
      cancelAtPeriodEnd: false,
      overdueSince: null,
    })
    expect(read({ items: items('year') })).toMatchObject({ interval: 'year' })
    expect(read({ customer: { id: 'cus_2', object: 'customer' } })).toMatchObject({ customerId: 'cus_2' })
  })

  it.each([
    ['incomplete', 'incomplete'],
    ['incomplete_expired', 'canceled'],
    ['trialing', 'trialing'],
    ['active', 'active'],
    ['past_due', 'past_due'],
    ['unpaid', 'unpaid'],
    ['paused', 'paused'],
    ['canceled', 'canceled'],
    ['a_status_of_tomorrow', 'paused'],
    ['constructor', 'paused'],
  ])("with Stripe's status %s has the status %s here", (status, here) => {
    expect(read({ status })).toMatchObject({ status: here })
  })

  it.each([
    [true, null, true],
    [false, null, false],
    [true, periodEnd, true],
    [false, periodEnd, true],
    [false, undefined, false],
  ])('with cancel_at_period_end %s and cancel_at %s ends by itself: %s', (flag, cancel_at, ends) => {
    expect(read({ cancel_at_period_end: flag, cancel_at })).toMatchObject({ cancelAtPeriodEnd: ends })
  })

  const invoice = { id: 'in_1', object: 'invoice', created: periodStart, status: 'open' }

  it.each([
    [
      'its invoice was finalised',
      { ...invoice, status_transitions: { finalized_at: periodStart + 3600 } },
      3600,
    ],
    ['its invoice was created', { ...invoice, status_transitions: { finalized_at: null } }, 0],
    ['its invoice, without transitions, was created', invoice, 0],
    ['its period began, if the invoice is not expanded', 'in_1', 0],
    ['its period began, if it has no invoice', null, 0],
  ])('that is past due is overdue since %s', (_name, latest_invoice, after) => {
    expect(read({ status: 'past_due', latest_invoice })?.overdueSince).toEqual(date(periodStart + after))
  })

  it.each(['active', 'unpaid', 'canceled'])('that is %s is not overdue', (status) => {
    expect(read({ status, latest_invoice: invoice })).toMatchObject({ overdueSince: null })
  })

  it.each(['trialing', 'active', 'past_due', 'canceled'])(
    'that is %s for another price is ignored',
    (status) => {
      expect(read({ status }, ['price_2', 'price'])).toBeNull()
      expect(read({ status }, ['price_2', 'price_1'])).toMatchObject({ id: 'sub_1' })
    },
  )

  it('for Pro and something else is read from its Pro item', () => {
    const mug = { current_period_end: periodStart, price: { ...price('year'), id: 'price_of_a_mug' } }
    const both = { object: 'list', data: [mug, ...items().data] }
    expect(read({ items: both })).toMatchObject({ interval: 'month', currentPeriodEnd: date(periodEnd) })
  })

  it('without items is ignored', () => {
    expect(read({ items: { object: 'list', data: [] } })).toBeNull()
  })

  it('without items that was canceled ended at its ended_at', () => {
    const ended = { status: 'canceled', items: { object: 'list', data: [] }, ended_at: periodEnd }
    expect(read(ended)).toMatchObject({ currentPeriodEnd: date(periodEnd), interval: 'month' })
  })

  it.each([
    ['of another type', { object: 'customer' }],
    ['without an id', { id: '' }],
    ['without a creation time', { created: undefined }],
    ['without a list of items', { items: undefined }],
  ])('is rejected if it is an object %s', (_name, changes) => {
    expect(() => read(changes)).toThrow()
  })
})
