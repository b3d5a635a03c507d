import { expect, it } from 'vitest'
import { matchCount } from './match-count.js'

it.each([
  [null, 'No matches'],
  [{ index: 0, total: 1_234 }, '1 of 1,234'],
  [{ index: null, total: 1 }, '1 match'],
  [{ index: null, total: 12 }, '12 matches'],
  [{ index: 3, total: null }, 'Found'],
])('%j is said as “%s”', (found, said) => {
  expect(matchCount(found)).toBe(said)
})
