import { expect, it } from 'vitest'
import { formatExpiry } from './relative-time.js'

const now = Date.parse('2030-01-31T12:00:00Z')

it.each([
  [null, 'Never expires'],
  ['2030-02-12T12:00:00Z', 'Expires in 12 days'],
  ['2030-01-28T12:00:00Z', 'Expired 3 days ago'],
  ['2030-01-31T12:00:00Z', 'Expired now'],
])('the end %s is reported as: %s', (end, words) => {
  expect(formatExpiry(end, now)).toBe(words)
})
