import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { createJsonStringDecoder } from './json-string-decoder.js'

function decodeChunks(chunks: readonly Buffer[]): string {
  const decoder = createJsonStringDecoder()
  return Buffer.concat(chunks.map((chunk) => decoder.push(chunk))).toString()
}

function decode(text: string): string {
  const bytes = Buffer.from(text)
  const whole = decodeChunks([bytes])
  for (const size of [1, 2, 3, 5]) expect(decodeChunks(cutEvery(bytes, size))).toBe(whole)
  return whole
}

describe('a JSON string', () => {
  it.each([
    ['""', ''],
    ['"plain text, é€😀"', 'plain text, é€😀'],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
    ['"\\u0000\\u0041\\u00e9\\u20AC\\uFFFF"', '\0Aé€\uffff'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\uDBFF\\uDFFFx"', '\u{10ffff}x'],
    ['"a\\\\u0041"', 'a\\u0041'],
  ])('is decoded: %s', (text, decoded) => expect(decode(text)).toBe(decoded))

  it.each([
    ['"\\ud83d"', '\ufffd'],
    ['"\\ude00"', '\ufffd'],
    ['"\\ud83dx"', '\ufffdx'],
    ['"\\ud83d\\n"', '\ufffd\n'],
    ['"\\ud83d\\u0041"', '\ufffdA'],
    ['"\\ud83d\\ud83d\\ude00"', '\ufffd😀'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83d\\u4e00"', '\ufffd一'],
  ])('has U+FFFD in place of half a pair: %s', (text, decoded) => expect(decode(text)).toBe(decoded))

  it('ends with its quote, whatever follows', () => expect(decode('"a" , "b"')).toBe('a'))

  it('is decoded as JSON.parse does, whatever its escapes and chunks', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
      fc.integer({ min: 0xd7f0, max: 0xe00f }).map((unit) => `\\u${unit.toString(16).toUpperCase()}`),
      fc.constantFrom('\\n', '\\/', '\\"', '\\\\', 'x', '€'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer(), (pieces, seed) => {
        const text = `"${pieces.join('')}"`
        const expected = Buffer.from(JSON.parse(text), 'utf8').toString()
        expect(decodeChunks(cutAnywhere(Buffer.from(text), seededRandom(seed)))).toBe(expected)
      }),
      { numRuns: 5_000 },
    )
  })
})
