import { expect, it } from 'vitest'
import { readableDuration, wholeCharacters } from './readable.js'

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
  for (let limit = 0; limit <= bytes.length; limit += 1) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(wholeCharacters(bytes, limit))
    expect('aé€😀z'.startsWith(text)).toBe(true)
    expect(Buffer.byteLength(text)).toBeGreaterThan(limit - 4)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
  }
})
