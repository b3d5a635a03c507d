import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { noneMatchHolds, quoteTag, readIfMatch } from './entity-tag.js'

describe('If-None-Match', () => {
  it('holds for the current tag alone, in a list, weakly compared, and for *', () => {
    for (const header of ['"abc"', '"x", "abc"', 'W/"abc"', '*', ' "abc" ']) {
      expect(noneMatchHolds(header, 'abc'), header).toBe(true)
    }
  })

  it.each([
    ['"x",,"abc"', true],
    [',"abc"', true],
    ['"x" , \t,, "abc" ,', true],
    ['"a,b", "abc"', true],
    ['W/"a,b",W/"abc"', true],
    ['"a,abc"', false],
    ['"a,"abc"', false],
    ['"abc" "x"', false],
    ['"x", abc, "abc"', false],
    ['w/"abc"', false],
    ['W/ "abc"', false],
    [',', false],
  ])('reads lists with empty members and with commas inside of tags: %s', (header, holds) => {
    expect(noneMatchHolds(header, 'abc')).toBe(holds)
  })

  it('finds a tag that has a comma itself', () => {
    expect(noneMatchHolds('"x", "a,b"', 'a,b')).toBe(true)
    expect(noneMatchHolds('"x", "a,b"', 'b')).toBe(false)
  })

  it('takes time in proportion to its length', () => {
    const begunAt = performance.now()
    expect(noneMatchHolds(`${' '.repeat(8_000)}${',\t'.repeat(4_000)}x`, 'abc')).toBe(false)
    expect(performance.now() - begunAt).toBeLessThan(1_000)
  })

  it('does not hold without a header, for another tag, or when it is malformed', () => {
    for (const header of [undefined, '"abd"', 'abc', '"abc', '', '"x",']) {
      expect(noneMatchHolds(header, 'abc'), String(header)).toBe(false)
    }
  })
})

describe('If-Match', () => {
  it('gives the tags without quotes, * as it is, and nothing for an absent header', () => {
    expect(readIfMatch('"a", "b"')).toEqual(['a', 'b'])
    expect(readIfMatch('*')).toEqual(['*'])
    expect(readIfMatch(undefined)).toEqual([])
  })

  it('ignores empty members of a list, and takes commas inside of a tag for a part of it', () => {
    expect(readIfMatch('"a",, "b,c" ,')).toEqual(['a', 'b,c'])
  })

  it('never lets a weak tag match', () => {
    for (const tag of readIfMatch('W/"a", W/"weak:a"')) expect(['a', 'weak:a']).not.toContain(tag)
  })

  it('never takes a tag that is an asterisk for any tag', () => {
    expect(readIfMatch('"*"')).not.toContain('*')
  })

  it('is refused when it is malformed, instead of being ignored', () => {
    for (const header of ['a', '"a', '"a" "b"', '', ' ', ',', ', ,', '*, "a"'])
      expect(() => readIfMatch(header), header).toThrow(DomainError)
  })
})

it('a tag is quoted as a strong one', () => {
  expect(quoteTag('a.1')).toBe('"a.1"')
})
