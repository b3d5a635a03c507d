import { expect, it } from 'vitest'
import { readableDuration, readableSize, textPrefix } from './readable.js'

it('sizes are told in the unit that fits', () => {
  expect([0, 1, 1_023, 1_024, 1_536, 1_048_576, 52_428_800, 1_073_741_824].map(readableSize)).toEqual([
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '50 MB',
    '1 GB',
  ])
})

it('times to come are told in the largest unit that has passed whole', () => {
  expect([500, 59_999, 60_000, 7_200_000, 86_400_000, 30 * 86_400_000 - 1].map(readableDuration)).toEqual([
    '1 second',
    '59 seconds',
    '1 minute',
    '2 hours',
    '1 day',
    '29 days',
  ])
})

it('a prefix never cuts a character', () => {
  const bytes = Buffer.from('aé€😀z')
  for (let most = 0; most <= bytes.length; most += 1) {
    const text = textPrefix(bytes, most)
    expect('aé€😀z'.startsWith(text)).toBe(true)
    expect(Buffer.byteLength(text)).toBeGreaterThan(most - 4)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most)
  }
})
