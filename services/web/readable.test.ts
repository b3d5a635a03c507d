import { expect, it } from 'vitest'
import { readableDuration } from './readable.js'

it('future times use the largest complete unit', () => {
  expect([500, 59_999, 60_000, 7_200_000, 86_400_000, 30 * 86_400_000 - 1].map(readableDuration)).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
    '29 days',
  ])
})
