import { describe, expect, it } from 'vitest'
import type { Kind } from '../document/kinds/kind.js'
import { lineColours } from './kind-colours.js'

function tokens(kind: Kind, line: string): readonly (readonly [string | null, string])[] {
  return lineColours(kind)(line, 0).map(({ kind, from, to }) => [kind, line.slice(from, to)])
}

describe('JSON', () => {
  it('distinguishes keys from strings, and numbers from words', () => {
    expect(tokens('json', '  "a\\"b": ["x", -1.5e+3, true], "c" : null')).toEqual([
      ['key', '"a\\"b"'],
      ['string', '"x"'],
      ['number', '-1.5e+3'],
      ['keyword', 'true'],
      ['key', '"c"'],
      ['keyword', 'null'],
    ])
  })

  it('cut within a string has the colour of a string to its end', () => {
    expect(tokens('json', '"text": "and so on 12 true')).toEqual([
      ['key', '"text"'],
      ['string', '"and so on 12 true'],
    ])
  })
})

it('SQL keywords are found in any case, but not within strings, names and comments', () => {
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
  expect(tokens('text', 'select 1 from "t"')).toEqual([])
})

it('a very long line is coloured at its beginning', () => {
  const found = tokens('json', '1, '.repeat(5_000))
  expect(found.length).toBeGreaterThan(500)
  expect(found.length).toBeLessThan(1_000)
})

it.each([
  [
    'xml',
    '<a href="x">1 &amp; 2</a><!-- c -->',
    ['<a', 'href', '"x"', '>', '&amp;', '</a', '>', '<!-- c -->'],
  ],
  ['jsonc', '{"a": -1.5, /* b */ "c": "//"} // d', ['"a"', '-1.5', '/* b */', '"c"', '"//"', '// d']],
  ['json5', "{a: 'x', b: .5, $c: Infinity} /* d", ['a', "'x'", 'b', '.5', '$c', 'Infinity', '/* d']],
  ['yaml', '- name: "x" # c', ['name', '"x"', '# c']],
  ['yaml', 'port: 8080', ['port', '8080']],
  ['yaml', 'on: [true, null]', ['on', 'true', 'null']],
  ['toml', '[a.b]', ['[a.b]']],
  ['toml', 'key = 1.5 # c', ['key', '1.5', '# c']],
  ['markdown', '# Title', ['# Title']],
  ['markdown', '- a `b` [c](d)', ['- ', '`b`', '[c](d)']],
  ['patch', '+added', ['+added']],
  ['patch', ' same', []],
  ['text', '"a" 1 true', []],
] as const)('%s has colours in %s', (language, line, expected) => {
  expect(tokens(language, line).map(([, piece]) => piece)).toEqual(expected)
})

it.each(['xml', 'yaml', 'toml', 'markdown', 'patch', 'sql', 'json', 'jsonc'] as const)(
  'a hostile line of %s is done at once',
  (language) => {
    for (const piece of ['<', '<!--', '"', "'", 'a:', 'a.', '- ', '[', '`', '&', 'a ', '/*', '// ', '\\'])
      expect(tokens(language, piece.repeat(100_000)).length).toBeLessThan(2_001)
  },
)
