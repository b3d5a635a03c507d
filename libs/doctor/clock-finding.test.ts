import { expect, test } from 'vitest'
import { clockFinding, skewOf } from './clock-finding.js'

test('network latency does not count as a clock difference', () => {
  expect(skewOf({ askedAt: 1_000, said: 1_000, arrivedAt: 9_000 })).toBe(0)
  expect(skewOf({ askedAt: 1_000, said: 9_000, arrivedAt: 9_000 })).toBe(0)
  expect(skewOf({ askedAt: 1_000, said: 900, arrivedAt: 9_000 })).toBe(-100)
  expect(skewOf({ askedAt: 1_000, said: 9_100, arrivedAt: 9_000 })).toBe(100)
})

test.each([
  [0, 'ok'],
  [5_000, 'ok'],
  [-5_000, 'ok'],
  [5_001, 'warning'],
  [-60_000, 'warning'],
  [60_001, 'problem'],
  [-3_600_000, 'problem'],
])('a difference of %i ms is %s', (skewMs, verdict) => {
  expect(clockFinding('clock', 'Postgres', skewMs).verdict).toBe(verdict)
})

test('the message says which clock is ahead', () => {
  expect(clockFinding('clock', 'Redis', 90_000).message).toBe('this clock is 90.0 s behind that of Redis')
  expect(clockFinding('clock', 'Redis', -90_000).message).toBe('this clock is 90.0 s ahead of that of Redis')
  expect(clockFinding('clock', 'Redis', -90_000).remedy).toContain('timedatectl set-ntp true')
})
