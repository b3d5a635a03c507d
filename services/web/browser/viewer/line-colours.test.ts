import { describe, expect, it } from 'vitest'
import { lineColours } from './line-colours.js'
import type { TextLanguage } from './text-language.js'

function tokens(language: TextLanguage, line: string): readonly (readonly [string | null, string])[] {
  return lineColours(language)(line).map(({ kind, from, to }) => [kind, line.slice(from, to)])
}

describe('JSON', () => {
  it('tells keys from strings, and numbers from words', () => {
    expect(tokens('json', '  "a\\"b": ["x", -1.5e+3, true], "c" : null')).toEqual([
      ['key', '"a\\"b"'],
      ['string', '"x"'],
      ['number', '-1.5e+3'],
      ['keyword', 'true'],
      ['key', '"c"'],
      ['keyword', 'null'],
    ])
  })

  it('that was cut within a string has the colour of a string to its end', () => {
    expect(tokens('json', '"text": "and so on 12 true')).toEqual([
      ['key', '"text"'],
      ['string', '"and so on 12 true'],
    ])
  })
})

it('SQL knows its words whatever their case, but not within strings, names and comments', () => {
  expect(tokens('sql', `SELECT "from", 'it''s 1 null', 42 FROM t -- where 1`)).toEqual([
    ['keyword', 'SELECT'],
    ['key', '"from"'],
    ['string', `'it''s 1 null'`],
    ['number', '42'],
    ['keyword', 'FROM'],
    ['comment', '-- where 1'],
  ])
  expect(tokens('sql', '/* set */ set /* unset')).toEqual([
    ['comment', '/* set */'],
    ['keyword', 'set'],
    ['comment', '/* unset'],
  ])
})

it('plain text has no colours', () => {
  expect(tokens('plain', 'select 1 from "t"')).toEqual([])
})

it('a very long line has colours where it begins', () => {
  const found = tokens('json', '1, '.repeat(5_000))
  expect(found.length).toBeGreaterThan(500)
  expect(found.length).toBeLessThan(1_000)
})
