import { beforeEach, describe, expect, it } from 'vitest'
import { passTime, payOverdue } from './clock.js'
import { createSandboxModel, monthsLater, type SandboxModel } from './sandbox-model.js'
import { emptyState, type SandboxSubscription } from './state.js'

const day = 86_400
const start = Date.UTC(2030, 0, 31, 12) / 1_000

let model: SandboxModel
let subscription: SandboxSubscription

beforeEach(() => {
  model = createSandboxModel(emptyState(), 'http://sandbox', () => start * 1_000)
  const { id: customer } = model.createCustomer('ann@example.com', {})
  const checkout = model.createCheckout({
    customer,
    interval: 'month',
    successUrl: 'https://a.example/s',
    cancelUrl: 'https://a.example/c',
    clientReference: null,
    metadata: {},
    subscriptionMetadata: {},
  })
  expect(model.pay(checkout)).toBe(true)
  const [made] = Object.values(model.state.subscriptions)
  if (made === undefined) throw new Error('nothing was bought')
  subscription = made
})

const at = (text: string) => Date.parse(text) / 1_000
const types = () => Object.values(model.state.events).map(({ type }) => type)
const payments = (succeed: boolean) => {
  const customer = model.state.customers[subscription.customer]
  if (customer !== undefined) customer.paymentsSucceed = succeed
}

describe('the clock of the sandbox', () => {
  it('renews on the same day of each month, or its last, for several periods at once', () => {
    expect(subscription.periodEnd).toBe(at('2030-02-28T12:00:00Z'))
    passTime(model, 90 * day)
    expect(subscription).toMatchObject({
      status: 'active',
      periods: 4,
      periodStart: at('2030-04-30T12:00:00Z'),
    })
    expect(Object.values(model.state.invoices).map(({ created }) => created)).toEqual([
      start,
      at('2030-02-28T12:00:00Z'),
      at('2030-03-31T12:00:00Z'),
      at('2030-04-30T12:00:00Z'),
    ])
    expect(model.now()).toBe(start + 90 * day)
  })

  it('retries an overdue payment after 3, 7 and 10 days, and gives up on the 14th', () => {
    payments(false)
    passTime(model, 28 * day)
    expect(subscription).toMatchObject({ status: 'past_due', retryAt: at('2030-03-03T12:00:00Z') })
    expect(types()).toContain('invoice.payment_failed')
    passTime(model, 13 * day)
    expect(subscription).toMatchObject({ status: 'past_due', retryAt: at('2030-03-14T12:00:00Z') })
    passTime(model, day)
    expect(subscription).toMatchObject({ status: 'canceled', endedAt: at('2030-03-14T12:00:00Z') })
    expect(model.state.invoices[subscription.latestInvoice]?.status).toBe('uncollectible')
    expect(types().at(-1)).toBe('customer.subscription.deleted')
    passTime(model, 400 * day)
    expect(subscription.periods).toBe(2)
  })

  it('recovers with the next retry once payments succeed again, or immediately on payment', () => {
    payments(false)
    passTime(model, 28 * day)
    expect(payOverdue(model, subscription)).toBe(false)
    payments(true)
    passTime(model, 3 * day)
    expect(subscription).toMatchObject({ status: 'active', retryAt: null })
    expect(model.state.invoices[subscription.latestInvoice]).toMatchObject({ status: 'paid' })
    expect(payOverdue(model, subscription)).toBe(false)
  })

  it('ends a cancelled subscription at the end of its period, not before', () => {
    model.setCancelAtPeriodEnd(subscription, true)
    passTime(model, 28 * day - 1)
    expect(subscription.status).toBe('active')
    passTime(model, 1)
    expect(subscription).toMatchObject({
      status: 'canceled',
      endedAt: at('2030-02-28T12:00:00Z'),
      periods: 1,
    })
  })

  it('expires a checkout after a day, and then rejects its payment', () => {
    const { customer } = subscription
    const urls = { successUrl: 'https://a.example/s', cancelUrl: 'https://a.example/c' }
    const rest = { clientReference: null, metadata: {}, subscriptionMetadata: {} }
    const open = model.createCheckout({ customer, interval: 'year', ...urls, ...rest })
    passTime(model, day)
    expect(open.status).toBe('expired')
    expect(model.pay(open)).toBe(false)
    expect(types()).toContain('checkout.session.expired')
  })

  it('handles a leap day in yearly periods', () => {
    const leap = Date.UTC(2028, 1, 29) / 1_000
    expect(monthsLater(leap, 12)).toBe(at('2029-02-28T00:00:00Z'))
    expect(monthsLater(leap, 48)).toBe(at('2032-02-29T00:00:00Z'))
  })
})
