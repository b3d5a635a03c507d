import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { compareDecimals, type Decimal, decimalOf, isMultiple, isWhole, signOfSum } from './decimal.js'

function of(text: string): Decimal {
  const decimal = decimalOf(text)
  if (decimal === null) throw new Error(`${text} is none`)
  return decimal
}

describe('a decimal', () => {
  it.each([
    ['0', '-0.0e5', 0],
    ['1', '1.0', 0],
    ['100', '1e2', 0],
    ['0.001', '1e-3', 0],
    ['1.5E+2', '150', 0],
    ['2', '10', -1],
    ['-2', '-10', 1],
    ['-1', '1', -1],
    ['0.1', '0.09', 1],
    ['123456789012345678901', '123456789012345678900', 1],
    ['1e999999999', '9e999999998', 1],
    ['1e-999999999', '0', 1],
    ['-1e999999999', '1e-999999999', -1],
    ['1e000000000000000000000001', '10', 0],
  ])('%s is to %s as %s is to 0', (one, other, expected) => {
    expect(compareDecimals(of(one), of(other))).toBe(expected)
    expect(compareDecimals(of(other), of(one))).toBe(expected === 0 ? 0 : -expected)
  })

  it('is none if its exponent has more than 15 digits', () => {
    expect(decimalOf('1e9999999999999999')).toBeNull()
    expect(decimalOf('1e-9999999999999999')).toBeNull()
    expect(decimalOf('0e9999999999999999')).toEqual(of('0'))
  })

  it.each([
    [['1', '0.1', '-1.1'], [1, 1, 1], 0],
    [['1e30', '-1e30', '1e-30'], [1, 1, 1], 1],
    [['1', '-0.999999999999', '1e-12'], [1, 1, -1], 0],
    [['3', '1'], [1, -3], 0],
    [['1e20', '1'], [1, -999_999_999_999], 1],
    [['0.000001', '1'], [-999_999_999_999, 999_999], -1],
    [['1', '1e-999999999'], [1, 1], 1],
  ])('%j times %j sums up to the sign %s', (texts, weights, expected) => {
    expect(signOfSum(texts.map((text, at) => ({ of: of(text), weight: weights[at] ?? 0 })))).toBe(expected)
  })

  it('sums up and compares as whole numbers do, whatever their lengths', () => {
    const random = seededRandom(7)
    for (let count = 0; count < 5_000; count += 1) {
      const terms = Array.from({ length: 1 + random.below(3) }, () => {
        const digits = Array.from({ length: 1 + random.below(14) }, () => random.pick([...'0001459'])).join(
          '',
        )
        const value = random.below(2) === 0 ? BigInt(digits) : -BigInt(digits)
        return { value, places: random.below(9), weight: random.below(2_000) - 1_000 }
      })
      const exact = terms.reduce(
        (sum, { value, places, weight }) => sum + value * BigInt(weight) * 10n ** BigInt(places),
        0n,
      )
      const summands = terms.map(({ value, places, weight }) => ({ of: of(`${value}e${places}`), weight }))
      const sign = exact === 0n ? 0 : exact < 0n ? -1 : 1
      expect(signOfSum(summands), JSON.stringify(summands)).toBe(sign)
      const [one, other] = [summands[0]?.of ?? of('0'), summands[1]?.of ?? of('0')]
      expect(compareDecimals(one, other)).toBe(
        signOfSum([
          { of: one, weight: 1 },
          { of: other, weight: -1 },
        ]),
      )
    }
  })

  it('sums up millions of digits in one pass', () => {
    const digits = '123456789'.repeat(200_000)
    const [one, other] = [of(`0.${digits}1`), of(`0.${digits}2`)]
    expect(compareDecimals(one, other)).toBe(-1)
  })

  it.each([
    ['0', '7', true],
    ['4.5', '1.5', true],
    ['35', '1.5', false],
    ['0.0075', '0.0001', true],
    ['0.00751', '0.0001', false],
    ['1e308', '0.123456789', false],
    ['12391239123e-8', '1e-8', true],
    ['1e999999999', '3', false],
    ['3e999999999', '3', true],
    ['1e-999999999', '3', false],
    ['9007199254740993', '9007199254740993', true],
    ['9007199254740992', '9007199254740993', false],
    ['-12', '4', true],
  ])('%s is a multiple of %s: %s', (one, other, expected) => {
    expect(isMultiple(of(one), of(other))).toBe(expected)
  })

  it.each([
    ['1.0', true],
    ['1.5', false],
    ['1.5e1', true],
    ['1e999999999', true],
    ['1e-1', false],
    ['0.0', true],
  ])('%s is whole: %s', (text, expected) => {
    expect(isWhole(of(text))).toBe(expected)
  })
})
