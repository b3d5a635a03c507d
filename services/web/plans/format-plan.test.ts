import { expect, it } from 'vitest'
import { formatPrice, formatPrices, yearlySaving } from './format-plan.js'

it.each([
  ['eur', 1_250, '€12.50'],
  ['eur', 900, '€9'],
  ['usd', 9_900, '$99'],
  ['jpy', 500, '¥500'],
])('%s %i is written %s', (currency, amount, words) => {
  expect(formatPrice({ currency, amount })).toBe(words)
})

it('a year for the price of ten months saves 16 %', () => {
  const month = { interval: 'month', currency: 'eur', amount: 500 } as const
  const year = { interval: 'year', currency: 'eur', amount: 5_000 } as const
  expect(yearlySaving([month, year])).toBe(16)
  expect(yearlySaving([month, { ...year, amount: 7_000 }])).toBe(0)
  expect(yearlySaving([month])).toBe(0)
  expect(formatPrices({ prices: [month, year] })).toEqual(['€5 per month', '€50 per year, saves 16 %'])
  expect(formatPrices({ prices: [] })).toEqual([])
})
