import { beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import {
  accountId,
  type CheckoutId,
  type CustomerId,
  checkoutId,
  type SubscriptionId,
  subscriptionId,
} from '../domain/ids.js'
import type { BillingInterval } from '../domain/subscription.js'
import type { CheckoutOrder, PaymentProvider } from '../ports.js'

/** A provider, and controls for its side. */
export interface PaymentProviderSide {
  readonly provider: PaymentProvider
  now(): Promise<Date>
  passTime(ms: number): Promise<void>
  /** Pays an open checkout as a payer would. */
  pay(id: CheckoutId): Promise<SubscriptionId>
  setPayments(customerId: CustomerId, succeed: boolean): Promise<void>
  /** Turns a subscription into one for something other than Pro. */
  sellElse(id: SubscriptionId): Promise<void>
  /** The amount paid for the subscription and not refunded, in the currency's smallest unit. */
  keptMinor(id: SubscriptionId): Promise<number>
  /** Makes the next call fail before it has an effect, or lose its response afterwards. */
  failNext(how: 'refused' | 'lost'): Promise<void>
}

const dayMs = 86_400_000
const account = accountId('account-000001')

function orderOf(customerId: CustomerId, interval: BillingInterval = 'month'): CheckoutOrder {
  const [successUrl, cancelUrl] = ['https://app.example/done', 'https://app.example/left']
  return { accountId: account, customerId, interval, successUrl, cancelUrl }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable' && error.code === 'unavailable'
}

/** Retries an unavailable call, as a caller would: three attempts at most. */
async function persist<T>(call: () => Promise<T>): Promise<T> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    try {
      return await call()
    } catch (error) {
      if (!isUnavailable(error) || triesLeft === 0) throw error
    }
  }
}

/** The behaviour of every `PaymentProvider`; `open` returns one without any payments. */
export function paymentProviderContract(name: string, open: () => Promise<PaymentProviderSide>): void {
  describe(name, () => {
    let side: PaymentProviderSide
    let provider: PaymentProvider
    let keys = 0
    const nextKey = () => `contract-${++keys}`
    const customer = () => provider.createCustomer(account, 'ada@example.com', nextKey())
    const checkout = async (interval: BillingInterval = 'month') =>
      provider.startCheckout(orderOf(await customer(), interval), nextKey())
    const subscribe = async (interval: BillingInterval = 'month') => {
      const id = await side.pay((await checkout(interval)).id)
      const found = await provider.findSubscription(id)
      if (found === null) throw new Error('the paid subscription is missing')
      return found
    }

    beforeEach(async () => {
      side = await open()
      provider = side.provider
    })

    it('has a monthly and a yearly price, in the smallest unit of a currency', async () => {
      const prices = await provider.prices()
      expect(prices.map(({ interval }) => interval).sort()).toEqual(['month', 'year'])
      for (const { currency, amountMinor } of prices) {
        expect(currency).toMatch(/^[a-z]{3}$/)
        expect(Number.isSafeInteger(amountMinor) && amountMinor > 0).toBe(true)
      }
    })

    describe('an idempotency key', () => {
      it('creates one customer, however often it is used', async () => {
        const key = nextKey()
        const made = await provider.createCustomer(account, 'ada@example.com', key)
        expect(await provider.createCustomer(account, 'ada@example.com', key)).toBe(made)
        expect(await provider.createCustomer(account, 'ada@example.com', nextKey())).not.toBe(made)
      })

      it('creates one customer in 20 concurrent calls', async () => {
        const key = nextKey()
        const calls = Array.from({ length: 20 }, () =>
          persist(() => provider.createCustomer(account, 'ada@example.com', key)),
        )
        expect(new Set(await Promise.all(calls)).size).toBe(1)
      })

      it('starts one checkout in 20 concurrent calls', async () => {
        const [order, key] = [orderOf(await customer()), nextKey()]
        const calls = Array.from({ length: 20 }, () => persist(() => provider.startCheckout(order, key)))
        const sessions = await Promise.all(calls)
        expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
        expect(new Set(sessions.map(({ url }) => url)).size).toBe(1)
      })

      it.each(['refused', 'lost'] as const)('has one effect when a call is %s', async (how) => {
        const key = nextKey()
        await side.failNext(how)
        const made = await persist(() => provider.createCustomer(account, null, key))
        expect(await provider.createCustomer(account, null, key)).toBe(made)
        const [order, checkoutKey] = [orderOf(made), nextKey()]
        await side.failNext(how)
        const { id } = await persist(() => provider.startCheckout(order, checkoutKey))
        expect((await provider.startCheckout(order, checkoutKey)).id).toBe(id)
      })

      it('is refused for another request', async () => {
        const [made, key] = [await customer(), nextKey()]
        await provider.startCheckout(orderOf(made, 'month'), key)
        await expect(provider.startCheckout(orderOf(made, 'year'), key)).rejects.toSatisfy(isUnavailable)
      })
    })

    describe('a checkout', () => {
      it('has a page, and at least half an hour to pay', async () => {
        const { url, expiresAt } = await checkout()
        expect(URL.canParse(url)).toBe(true)
        expect(expiresAt.getTime() - (await side.now()).getTime()).toBeGreaterThanOrEqual(30 * 60_000)
      })

      it('can be closed while it is open, and stays closed', async () => {
        const { id } = await checkout()
        expect(await provider.closeCheckout(id)).toEqual({ paid: false })
        expect(await provider.closeCheckout(id)).toEqual({ paid: false })
        await expect(side.pay(id)).rejects.toThrow()
      })

      it('is not closed once it is paid', async () => {
        const { id } = await checkout()
        const paid = await side.pay(id)
        expect(await provider.closeCheckout(id)).toEqual({ paid: true })
        expect(await provider.findSubscription(paid)).toMatchObject({ status: 'active' })
      })

      it('that is unknown counts as closed', async () => {
        expect(await provider.closeCheckout(checkoutId('cs_unknown'))).toEqual({ paid: false })
      })

      it('that was not paid in time is closed', async () => {
        const { id, expiresAt } = await checkout()
        await side.passTime(expiresAt.getTime() - (await side.now()).getTime() + 60_000)
        expect(await provider.closeCheckout(id)).toEqual({ paid: false })
        await expect(side.pay(id)).rejects.toThrow()
      })
    })

    it('a customer has their own portal page', async () => {
      const url = await provider.openPortal(await customer(), 'https://app.example/account')
      expect(URL.canParse(url)).toBe(true)
    })

    describe('a subscription', () => {
      it.each([
        ['month', 27, 32],
        ['year', 364, 367],
      ] as const)('paid by the %s is active for one period', async (interval, daysMin, daysMax) => {
        const made = await customer()
        const { id } = await provider.startCheckout(orderOf(made, interval), nextKey())
        const before = (await side.now()).getTime()
        const paid = await side.pay(id)
        const found = await provider.findSubscription(paid)
        expect(found).toMatchObject({
          id: paid,
          customerId: made,
          status: 'active',
          interval,
          cancelAtPeriodEnd: false,
          overdueSince: null,
        })
        expect(Math.abs((found?.startedAt.getTime() ?? 0) - before)).toBeLessThan(60_000)
        const days = ((found?.currentPeriodEnd.getTime() ?? 0) - (found?.startedAt.getTime() ?? 0)) / dayMs
        expect(days).toBeGreaterThan(daysMin)
        expect(days).toBeLessThan(daysMax)
      })

      it('is null if it is unknown', async () => {
        expect(await provider.findSubscription(subscriptionId('sub_unknown'))).toBeNull()
      })

      it('continues with the next period when it is paid', async () => {
        const { id, currentPeriodEnd } = await subscribe()
        const first = await side.keptMinor(id)
        await side.passTime(33 * dayMs)
        const renewed = await provider.findSubscription(id)
        expect(renewed).toMatchObject({ status: 'active', overdueSince: null })
        expect(renewed?.currentPeriodEnd.getTime()).toBeGreaterThan(currentPeriodEnd.getTime())
        expect(await side.keptMinor(id)).toBe(2 * first)
      })

      it('ends with its period if cancelled, unless it is resumed', async () => {
        const { id } = await subscribe()
        expect(await provider.setCancelAtPeriodEnd(id, true)).toMatchObject({
          id,
          status: 'active',
          cancelAtPeriodEnd: true,
        })
        expect(await provider.setCancelAtPeriodEnd(id, true)).toMatchObject({ cancelAtPeriodEnd: true })
        expect(await provider.findSubscription(id)).toMatchObject({ cancelAtPeriodEnd: true })
        expect(await provider.setCancelAtPeriodEnd(id, false)).toMatchObject({ cancelAtPeriodEnd: false })
        expect(await provider.setCancelAtPeriodEnd(id, false)).toMatchObject({ cancelAtPeriodEnd: false })
        await side.passTime(33 * dayMs)
        expect(await provider.findSubscription(id)).toMatchObject({ status: 'active' })
        await provider.setCancelAtPeriodEnd(id, true)
        await side.passTime(33 * dayMs)
        expect(await provider.findSubscription(id)).toMatchObject({ status: 'canceled' })
      })

      it('is neither cancelled nor resumed if it ended or is unknown', async () => {
        const { id } = await subscribe()
        await provider.undoSubscription(id)
        for (const gone of [id, subscriptionId('sub_unknown')]) {
          for (const cancel of [true, false]) {
            await expect(provider.setCancelAtPeriodEnd(gone, cancel)).rejects.toMatchObject({
              code: 'not_found',
            })
          }
        }
      })

      it('is overdue from the end of its period if a payment fails, until it is paid', async () => {
        const { id, customerId, currentPeriodEnd } = await subscribe()
        await side.setPayments(customerId, false)
        await side.passTime(currentPeriodEnd.getTime() - (await side.now()).getTime() + 2 * dayMs)
        const overdue = await provider.findSubscription(id)
        expect(overdue).toMatchObject({ status: 'past_due' })
        const late = (overdue?.overdueSince?.getTime() ?? 0) - currentPeriodEnd.getTime()
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThanOrEqual(dayMs)
        await side.passTime(3_600_000)
        expect((await provider.findSubscription(id))?.overdueSince).toEqual(overdue?.overdueSince)
        await side.setPayments(customerId, true)
        await side.passTime(5 * dayMs)
        expect(await provider.findSubscription(id)).toMatchObject({ status: 'active', overdueSince: null })
      })

      it('ends immediately when it is undone, and is refunded once', async () => {
        const { id } = await subscribe('year')
        expect(await side.keptMinor(id)).toBeGreaterThan(0)
        await provider.undoSubscription(id)
        expect(await provider.findSubscription(id)).toMatchObject({ status: 'canceled' })
        expect(await side.keptMinor(id)).toBe(0)
        await provider.undoSubscription(id)
        expect(await side.keptMinor(id)).toBe(0)
      })

      it('is refunded completely even after several periods', async () => {
        const { id } = await subscribe()
        await side.passTime(70 * dayMs)
        await provider.undoSubscription(id)
        expect(await side.keptMinor(id)).toBe(0)
      })

      it.each(['refused', 'lost'] as const)('is refunded once if undoing it is %s', async (how) => {
        const { id } = await subscribe()
        await side.failNext(how)
        await persist(() => provider.undoSubscription(id))
        expect(await provider.findSubscription(id)).toMatchObject({ status: 'canceled' })
        expect(await side.keptMinor(id)).toBe(0)
      })

      it('is ignored and never cancelled here if it is for something other than Pro', async () => {
        const [{ id: other }, { id: ours }] = [await subscribe(), await subscribe()]
        await side.sellElse(other)
        expect(await provider.findSubscription(other)).toBeNull()
        await expect(provider.setCancelAtPeriodEnd(other, true)).rejects.toMatchObject({ code: 'not_found' })
        for await (const { id } of provider.allSubscriptions()) expect(id).toBe(ours)
      })

      it('that is unknown can be undone, without effect', async () => {
        await provider.undoSubscription(subscriptionId('sub_unknown'))
      })
    })

    it('lists every subscription once, over several pages, including ended ones', async () => {
      const made = await customer()
      const ids = new Set<SubscriptionId>()
      while (ids.size < 105)
        ids.add(await side.pay((await provider.startCheckout(orderOf(made), nextKey())).id))
      const [[ended = subscriptionId('sub_none')], listed] = [ids, [] as SubscriptionId[]]
      await provider.undoSubscription(ended)
      for await (const { id, status } of provider.allSubscriptions()) {
        listed.push(id)
        expect(status).toBe(id === ended ? 'canceled' : 'active')
      }
      expect([listed.length, new Set(listed)]).toEqual([105, ids])
    })
  })
}
