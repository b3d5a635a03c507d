import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { envelopeBytesMax } from './body-errors.js'
import { createEnvelopeScanner } from './envelope-scanner.js'
import { scanEnvelope, testRules } from './testing/verdicts.js'

const bytesMax = 20_000
const rules = { ...testRules, data: { bytesMax, plan: 'free', noun: 'share' } as const }
const random = seededRandom(7)

function codeOf(body: string): string | undefined {
  const bytes = Buffer.from(body)
  const cuts = [[bytes], cutEvery(bytes, 1), cutEvery(bytes, 8_192), cutAnywhere(bytes, random)]
  const codes = new Set(cuts.map((chunks) => scanEnvelope(chunks, rules).refused?.code))
  expect(codes.size).toBe(1)
  return [...codes][0]
}

/** A JSON object of exactly `size` bytes. */
function dataOf(size: number, unit = 'x'): string {
  const count = Math.floor((size - 8) / Buffer.byteLength(unit))
  const text = `{"v":"${unit.repeat(count)}"`
  return `${text.padEnd(text.length + size - Buffer.byteLength(text) - 1, ' ')}}`
}

describe('the bytes of data', () => {
  it.each([
    ['of one byte', 'x'],
    ['of two bytes', 'é'],
    ['of three bytes', '€'],
    ['of four bytes', '😀'],
    ['of escapes', '\\u0000'],
  ])('may reach the limit exactly with characters %s', (_what, unit) => {
    expect(Buffer.byteLength(dataOf(bytesMax, unit))).toBe(bytesMax)
    expect(codeOf(`{"data":${dataOf(bytesMax, unit)}}`)).toBeUndefined()
    expect(codeOf(`{"data":${dataOf(bytesMax + 1, unit)}}`)).toBe('data_too_large')
  })

  it('include inner white space, and not the surrounding', () => {
    const inside = `{${' '.repeat(bytesMax - 2)}}`
    expect(codeOf(`{"data":${inside}}`)).toBeUndefined()
    expect(codeOf(`{"data":  ${inside}\n\n}`)).toBeUndefined()
    expect(codeOf(`{"data":{ ${inside.slice(1)}}`)).toBe('data_too_large')
  })

  it('are rejected at the first byte too many, with the limit and the plan', () => {
    const scanner = createEnvelopeScanner(rules)
    const start = Buffer.from(`{"data":{"v":"${'x'.repeat(bytesMax - 6)}`)
    expect(scanner.push(start)?.length).toBe(bytesMax)
    expect(() => scanner.push(Buffer.from('x'))).toThrow(
      expect.objectContaining({
        kind: 'too-large',
        code: 'data_too_large',
        details: { limit: bytesMax, plan: 'free' },
      }),
    )
  })

  it('are limited even if they are not an object, or duplicated', () => {
    expect(codeOf(`{"data":"${'x'.repeat(bytesMax)}"}`)).toBe('data_too_large')
    const half = dataOf(bytesMax / 2 + 1)
    expect(codeOf(`{"data":${half},"data":${half}}`)).toBe('data_too_large')
  })
})

describe('the bytes besides data', () => {
  const data = dataOf(10_000)
  const rest = `{"data":${data}}`.length - data.length

  it('may reach exactly 65,536 as white space', () => {
    for (const place of ['{"data":', `{"data":${data}`, '{', '']) {
      const spaced = (count: number): string =>
        `{"data":${data}}`.replace(place, () => place + ' '.repeat(count))
      expect(codeOf(spaced(envelopeBytesMax - rest))).toBeUndefined()
      expect(codeOf(spaced(envelopeBytesMax - rest + 1))).toBe('data_too_large')
    }
  })

  it('may reach the limit exactly as a field, a key or white space at the end', () => {
    const room = envelopeBytesMax - rest
    const titled = (size: number): string => `{"title":"${'t'.repeat(size - 11)}","data":${data}}`
    expect(codeOf(titled(room))).toBeUndefined()
    expect(codeOf(titled(room + 1))).toBe('data_too_large')
    const keyed = (size: number): string => `{"${'k'.repeat(size - 5)}":1,"data":${data}}`
    expect(codeOf(keyed(room))).toBeUndefined()
    expect(codeOf(keyed(room + 1))).toBe('data_too_large')
    const trailed = (size: number): string => `{"data":${data}}${'\n'.repeat(size)}`
    expect(codeOf(trailed(room))).toBeUndefined()
    expect(codeOf(trailed(room + 1))).toBe('data_too_large')
  })

  it('are rejected with their own message', () => {
    const { refused } = scanEnvelope([Buffer.from(' '.repeat(envelopeBytesMax + 1))], rules)
    expect(refused?.message).toBe(
      'The fields other than data are too large; together they are limited to 64 KB.',
    )
    expect(refused?.details).toEqual({ limit: envelopeBytesMax })
  })

  it('are the whole body in operations without data', () => {
    const none = { fields: new Set(['title']), data: null }
    const body = (size: number): Buffer => Buffer.from(`{"title":"${'t'.repeat(size - 12)}"}`)
    expect(scanEnvelope([body(envelopeBytesMax)], none).refused).toBe(null)
    expect(scanEnvelope([body(envelopeBytesMax + 1)], none).refused?.code).toBe('data_too_large')
  })
})
