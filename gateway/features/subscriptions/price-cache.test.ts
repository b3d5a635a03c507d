import { expect, it } from 'vitest'
import { BillingInterval, type Price } from '#proto/snipkeep/billing/v1/subscription_service.js'
import { createPriceCache } from './price-cache.js'

const price: Price = {
  interval: BillingInterval.BILLING_INTERVAL_MONTH,
  currency: 'eur',
  amountMinor: 900,
}

it('prices are loaded once for concurrent callers, and again after a minute', async () => {
  let now = 0
  let asked = 0
  const prices = createPriceCache(
    async () => {
      asked += 1
      return [{ ...price, amountMinor: asked }]
    },
    () => now,
  )
  const all = await Promise.all([prices(), prices(), prices()])
  expect(all.map(([one]) => one?.amountMinor)).toEqual([1, 1, 1])
  now = 59_999
  expect((await prices())[0]?.amountMinor).toBe(1)
  now = 60_000
  expect((await prices())[0]?.amountMinor).toBe(2)
})

it('while billing is down the last prices are used, and it is called again a second later', async () => {
  let now = 0
  let asked = 0
  let away = true
  const prices = createPriceCache(
    async () => {
      asked += 1
      if (away) throw new Error('away')
      return [price]
    },
    () => now,
  )
  expect(await prices()).toEqual([])
  expect(await prices()).toEqual([])
  expect(asked).toBe(1)
  away = false
  now = 1_000
  expect(await prices()).toEqual([price])
  away = true
  now = 61_000
  expect(await prices()).toEqual([price])
  expect(asked).toBe(3)
})
