import { describe, expect, it } from 'vitest'
import { readProviderEvent } from './signed-provider-events.js'

function read(event: unknown, live = true) {
  return readProviderEvent(Buffer.from(JSON.stringify(event)), live)
}

function event(type: string, object: unknown, more: object = {}) {
  return { id: 'evt_1', object: 'event', type, livemode: true, data: { object }, ...more }
}

const nothing = { customerId: null, subscriptionId: null, checkoutId: null }
const subscription = { id: 'sub_1', object: 'subscription', customer: 'cus_1', status: 'active' }
const session = { id: 'cs_test_1', object: 'checkout.session', customer: 'cus_1', subscription: 'sub_1' }

const relevant: readonly (readonly [string, string, unknown, object])[] = [
  ['a new subscription', 'customer.subscription.created', subscription, { subscriptionId: 'sub_1' }],
  ['a changed subscription', 'customer.subscription.updated', subscription, { subscriptionId: 'sub_1' }],
  ['an ended subscription', 'customer.subscription.deleted', subscription, { subscriptionId: 'sub_1' }],
  [
    'a subscription with its customer expanded',
    'customer.subscription.updated',
    { ...subscription, customer: { id: 'cus_1', object: 'customer', email: 'ada@example.com' } },
    { subscriptionId: 'sub_1' },
  ],
  [
    'a paid invoice',
    'invoice.paid',
    { id: 'in_1', customer: 'cus_1', parent: { subscription_details: { subscription: 'sub_1' } } },
    { subscriptionId: 'sub_1' },
  ],
  [
    'an invoice of an older version',
    'invoice.payment_failed',
    { id: 'in_1', customer: 'cus_1', subscription: 'sub_1' },
    { subscriptionId: 'sub_1' },
  ],
  [
    'an invoice with its subscription expanded',
    'invoice.payment_failed',
    { id: 'in_1', customer: 'cus_1', parent: { subscription_details: { subscription } } },
    { subscriptionId: 'sub_1' },
  ],
  [
    'a paid checkout',
    'checkout.session.completed',
    session,
    { subscriptionId: 'sub_1', checkoutId: 'cs_test_1' },
  ],
  [
    'an expired checkout',
    'checkout.session.expired',
    { ...session, subscription: null },
    { checkoutId: 'cs_test_1' },
  ],
  [
    'a checkout that is paid later',
    'checkout.session.async_payment_succeeded',
    session,
    { subscriptionId: 'sub_1' },
  ],
]

/** Events that concern none of our objects. */
const irrelevant: readonly (readonly [string, unknown])[] = [
  ['an unknown type', event('treasury.outbound_payment.posted', { id: 'obp_1' })],
  ['a type that begins like a known one', event('customer.subscriptions', { id: 'sub_1' })],
  ['a type of an invoice item', event('invoiceitem.created', { id: 'ii_1', subscription: 'sub_1' })],
  ['a type of a payment of an invoice', event('invoice_payment.paid', { id: 'inpay_1', invoice: 'in_1' })],
  ['a name that every object has', event('__proto__', { id: 'x' })],
  ['no data', { id: 'evt_1', type: 'customer.subscription.updated', livemode: true }],
  ['data that is null', { ...event('invoice.paid', {}), data: null }],
  ['data that is a list', { ...event('invoice.paid', {}), data: [{ object: subscription }] }],
  ['no object', { ...event('invoice.paid', {}), data: {} }],
  ['an object that is null', event('customer.subscription.updated', null)],
  ['an object that is a text', event('customer.subscription.updated', 'sub_1')],
  ['an object that is a number', event('checkout.session.completed', 1)],
  ['a subscription without an id', event('customer.subscription.updated', { object: 'subscription' })],
  ['an id that is a number', event('customer.subscription.updated', { id: 1, customer: 2 })],
  ['an id that is empty', event('customer.subscription.updated', { id: '', customer: '' })],
  ['an id that is no id', event('customer.subscription.updated', { id: 'sub_1\u0000', customer: 'cus 1' })],
  ['an id that is too long', event('customer.subscription.updated', { id: 'x'.repeat(256) })],
  ['an id in a list', event('customer.subscription.updated', { id: ['sub_1'], customer: ['cus_1'] })],
  ['an invoice of no subscription', event('invoice.paid', { id: 'in_1', customer: null, parent: null })],
  [
    'an invoice of a quote',
    event('invoice.paid', { id: 'in_1', parent: { quote_details: { quote: 'qt_1' } } }),
  ],
  ['an invoice with an odd parent', event('invoice.paid', { parent: { subscription_details: 'sub_1' } })],
  ['an invoice with a deleted subscription', event('invoice.paid', { subscription: { deleted: true } })],
  ['a checkout of a single payment', event('payment_intent.succeeded', { id: 'pi_1', customer: null })],
  ['a checkout without an id', event('checkout.session.completed', { mode: 'subscription' })],
  [
    'a notification of the second API',
    { id: 'evt_1', object: 'v2.core.event', type: 'v2.core.account.updated', livemode: true },
  ],
  ['an event of a platform', event('account.updated', { id: 'acct_1' }, { account: 'acct_1' })],
  [
    'many unknown members',
    event('radar.early_fraud_warning.created', { nested: { id: 'sub_1', customer: 'cus_1' } }),
  ],
]

describe('an event of the provider', () => {
  it.each(relevant)('names the objects of %s', (_name, type, object, about) => {
    expect(read(event(type, object))).toEqual({
      id: 'evt_1',
      type,
      modeMatches: true,
      ...nothing,
      customerId: 'cus_1',
      ...about,
    })
  })

  it.each(irrelevant)('names no object for %s', (_name, given) => {
    expect(read(given)).toMatchObject({ id: 'evt_1', modeMatches: true, ...nothing })
  })

  it('of someone else’s customer names that customer', () => {
    const given = event('customer.subscription.updated', { ...subscription, customer: 'cus_foreign' })
    expect(read(given)).toMatchObject({ customerId: 'cus_foreign', subscriptionId: 'sub_1' })
  })

  it.each([
    [true, true, true],
    [false, false, true],
    [true, false, false],
    [false, true, false],
    ['true', true, false],
    [null, false, false],
    [undefined, false, false],
  ])('with livemode %s where the mode is %s matches: %s', (livemode, live, matches) => {
    expect(read(event('invoice.paid', {}, { livemode }), live).modeMatches).toBe(matches)
  })

  it.each([
    ['nothing', ''],
    ['a text', 'hello'],
    ['half an object', '{"id":"evt_1"'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('is not %s', (_name, bytes) => {
    expect(() => readProviderEvent(Buffer.from(bytes), true)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'malformed_json' }),
    )
  })

  it.each([
    ['null', null],
    ['a list', []],
    ['an empty object', {}],
    ['an event without an id', { type: 'invoice.paid' }],
    ['an event without a type', { id: 'evt_1' }],
    ['an event whose id is a number', { id: 1, type: 'invoice.paid' }],
    ['an event with an empty type', { id: 'evt_1', type: '' }],
    ['an event with a line break in its type', { id: 'evt_1', type: 'invoice\npaid' }],
  ])('is not %s', (_name, given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'validation_failed' }))
  })
})
