import { expect, it } from 'vitest'
import { relativeTime } from './relative-time.js'

const now = Date.parse('2030-01-31T12:00:00Z')

it.each([
  ['2030-01-31T12:00:59Z', 'now'],
  ['2030-01-31T11:59:01Z', 'now'],
  ['2030-01-31T11:55:00Z', '5 minutes ago'],
  ['2030-01-31T10:01:00Z', '1 hour ago'],
  ['2030-01-30T11:00:00Z', 'yesterday'],
  ['2030-03-01T11:59:00Z', 'in 28 days'],
  ['2030-05-01T12:00:00Z', 'in 90 days'],
  ['2030-05-31T11:59:00Z', 'in 119 days'],
  ['2030-05-31T12:00:00Z', 'in 4 months'],
  ['2029-10-04T12:00:00Z', '119 days ago'],
  ['2028-01-01T00:00:00Z', '2 years ago'],
])('%s is %s', (moment, words) => {
  expect(relativeTime(Date.parse(moment), now)).toBe(words)
})
