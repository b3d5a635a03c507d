import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { BillingInterval, type Price } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { createPriceCache } from './price-cache.js'

const price: Price = {
  interval: BillingInterval.BILLING_INTERVAL_MONTH,
  currency: 'eur',
  amountMinor: 900,
}

/** Prices of a billing that answers when it is let, and counts its calls: each has the next price. */
function open() {
  const clock = { now: 0 }
  const calls: { answer(): void; fail(): void }[] = []
  const prices = createPriceCache(
    () =>
      new Promise((resolve, reject) => {
        const amountMinor = calls.length + 1
        calls.push({
          answer: () => resolve([{ ...price, amountMinor }]),
          fail: () => reject(new Error('away')),
        })
      }),
    () => clock.now,
  )
  return { clock, calls, amount: async () => (await prices())[0]?.amountMinor }
}

it('prices are loaded once for concurrent callers, who wait for them', async () => {
  const { calls, amount } = open()
  const all = [amount(), amount(), amount()]
  calls[0]?.answer()
  expect(await Promise.all(all)).toEqual([1, 1, 1])
  expect(calls.length).toBe(1)
})

it('prices that are older than a minute are returned at once, and loaded again for later callers', async () => {
  const { clock, calls, amount } = open()
  const first = amount()
  calls[0]?.answer()
  expect(await first).toBe(1)
  clock.now = 59_999
  expect(await amount()).toBe(1)
  expect(calls.length).toBe(1)
  clock.now = 60_000
  expect([await amount(), await amount()]).toEqual([1, 1])
  expect(calls.length).toBe(2)
  calls[1]?.answer()
  await turn()
  expect(await amount()).toBe(2)
})

it('while billing is down nobody waits but the first, and it is called again a second later', async () => {
  const { clock, calls, amount } = open()
  const first = amount()
  calls[0]?.fail()
  expect(await first).toBeUndefined()
  clock.now = 1_000
  expect([await amount(), await amount()]).toEqual([undefined, undefined])
  expect(calls.length).toBe(2)
  calls[1]?.answer()
  await turn()
  expect(await amount()).toBe(2)
  clock.now = 61_000
  expect(await amount()).toBe(2)
  calls[2]?.fail()
  await turn()
  clock.now = 62_000
  expect(await amount()).toBe(2)
  expect(calls.length).toBe(4)
})
