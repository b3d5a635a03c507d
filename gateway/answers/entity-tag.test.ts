import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { noneMatchHolds, quoteTag, readIfMatch } from './entity-tag.js'

describe('If-None-Match', () => {
  it('holds for the current tag alone, in a list, weakly compared, and for *', () => {
    for (const header of ['"abc"', '"x", "abc"', 'W/"abc"', '*', ' "abc" ']) {
      expect(noneMatchHolds(header, 'abc'), header).toBe(true)
    }
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

  it('never lets a weak tag match', () => {
    expect(readIfMatch('W/"a"')).not.toContain('a')
  })

  it('is refused when it is malformed, instead of being ignored', () => {
    for (const header of ['a', '"a', '"a" "b"', ''])
      expect(() => readIfMatch(header), header).toThrow(DomainError)
  })
})

it('a tag is quoted as a strong one', () => {
  expect(quoteTag('a.1')).toBe('"a.1"')
})
