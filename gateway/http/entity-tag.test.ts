import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { noneMatchHolds, quoteTag, readIfMatch } from './entity-tag.js'

describe('If-None-Match', () => {
  it('matches the current tag alone, in a list or marked as weak, and matches *', () => {
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
  ])('is read as a list that may have empty members and commas inside tags: %s', (header, holds) => {
    expect(noneMatchHolds(header, 'abc')).toBe(holds)
  })

  it('matches a tag that contains a comma', () => {
    expect(noneMatchHolds('"x", "a,b"', 'a,b')).toBe(true)
    expect(noneMatchHolds('"x", "a,b"', 'b')).toBe(false)
  })

  it('is read in linear time', () => {
    const startedAt = performance.now()
    expect(noneMatchHolds(`${' '.repeat(8_000)}${',\t'.repeat(4_000)}x`, 'abc')).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  it('does not match if it is absent, malformed or names another tag', () => {
    for (const header of [undefined, '"abd"', 'abc', '"abc', '', '"x",']) {
      expect(noneMatchHolds(header, 'abc'), String(header)).toBe(false)
    }
  })
})

describe('If-Match', () => {
  it('is read as tags without quotes, as *, or as none if absent', () => {
    expect(readIfMatch('"a", "b"')).toEqual(['a', 'b'])
    expect(readIfMatch('*')).toEqual(['*'])
    expect(readIfMatch(undefined)).toEqual([])
  })

  it('may have empty members, and commas inside tags', () => {
    expect(readIfMatch('"a",, "b,c" ,')).toEqual(['a', 'b,c'])
  })

  it('never lets a weak tag match', () => {
    for (const tag of readIfMatch('W/"a", W/"weak:a"')) expect(['a', 'weak:a']).not.toContain(tag)
  })

  it('never confuses the tag "*" with *', () => {
    expect(readIfMatch('"*"')).not.toContain('*')
  })

  it('is rejected if malformed, not ignored', () => {
    for (const header of ['a', '"a', '"a" "b"', '', ' ', ',', ', ,', '*, "a"'])
      expect(() => readIfMatch(header), header).toThrow(DomainError)
  })
})

it('an ETag header is a strong tag', () => {
  expect(quoteTag('a.1')).toBe('"a.1"')
})
