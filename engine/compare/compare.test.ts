import { describe, expect, it } from 'vitest'
import { compare } from './compare.js'
import type { CompareOptions } from './comparison.js'
import { toJsonPatch } from './to-json-patch.js'
import { toUnifiedText } from './to-unified-text.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const compared = (one: string, other: string, options?: CompareOptions) =>
  compare(bytes(one), bytes(other), options)

describe('documents of JSON', () => {
  it('are compared by keys and by what identifies items; values are reported as they are written', () => {
    const one = '{"rows": [{"id":1,"n":1.0},{"id":2,"n":2},{"id":3,"n":3}], "gone": "\\u0061", "same": [1]}'
    const other = '{"same":[1],"rows":[{"id":0},{"id":1,"n":1},{"id":3,"n":3}],"new":null}'
    expect(compared(one, other)).toEqual({
      equal: false,
      as: 'json',
      guessedKeys: ['id'],
      summary: { added: 2, removed: 2, changed: 1, moved: 0, columnsAdded: [], columnsRemoved: [] },
      changes: [
        { op: 'add', pointer: '/rows/0', to: '{"id":0}' },
        { op: 'replace', pointer: '/rows/0/n', newPointer: '/rows/1/n', from: '1.0', to: '1' },
        { op: 'remove', pointer: '/rows/1', from: '{"id":2,"n":2}' },
        { op: 'remove', pointer: '/gone', from: '"\\u0061"' },
        { op: 'add', pointer: '/new', to: 'null' },
      ],
      truncated: false,
    })
  })

  it.each([
    ['1.0', '1', {}, false],
    ['1.0', '1', { numbers: 'value' }, true],
    ['[0.10, 1e2, -0]', '[1e-1, 100, 0.0]', { numbers: 'value' }, true],
    ['9007199254740993', '9007199254740992', { numbers: 'value' }, false],
    ['1e400', '1e401', { numbers: 'value' }, false],
    ['"\\u00e9"', '"é"', {}, true],
    ['["\\ud83d"]', '["\\ufffd"]', {}, false],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', {}, true],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', { order: true }, false],
    ['{"a":1,"a":2}', '{"a":2,"a":1}', {}, false],
    ['{"a":1,"b":0,"a":2}', '{"b":0,"a":1,"a":2}', {}, true],
    ['[1,2]', '[2,1]', {}, false],
    [
      '{"a":{"t":1},"b":[{"t":1},{"t":2}]}',
      '{"a":{"t":2},"b":[{},{"t":3}]}',
      { ignore: ['/*/t', '/b/*/t'] },
      true,
    ],
    ['{"a":[1,2]}', '{"a":[3]}', { ignore: ['/a/*'] }, true],
    ['{"t":1,"u":1}', '{"t":2,"u":2}', { ignore: ['/t'] }, false],
    ['1', '2', { ignore: [''] }, true],
  ] as const)('%s and %s with %o: equal is %s', (one, other, options, equal) => {
    expect(compared(one, other, { as: 'json', ...options }).equal).toBe(equal)
  })

  it('report a record that has moved, and what has changed in it', () => {
    const { summary, changes } = compared('[{"id":1,"n":1},{"id":2}]', '[{"id":2},{"id":1,"n":2},{"id":3}]')
    expect(changes).toEqual([
      { op: 'move', pointer: '/0', newPointer: '/1' },
      { op: 'replace', pointer: '/0/n', newPointer: '/1/n', from: '1', to: '2' },
      { op: 'add', pointer: '/2', to: '{"id":3}' },
    ])
    expect(summary).toMatchObject({ added: 1, removed: 0, changed: 1, moved: 1 })
  })

  it.each([
    ['[{"k":1},{"k":1}]', '[{"k":1}]', 'key_not_unique', '/0 and /1 of the first document'],
    ['{"a":[{"k":1}]}', '{"a":[{"k":2},{"k":3},{"k":2}]}', 'key_not_unique', '/a/0 and /a/2 of the second'],
    ['[{"id":1}]', '[{"id":2}]', 'key_not_found', 'The key "k" identifies the items of no array'],
    ['[{"k":1},{}]', '[{"k":1}]', 'key_not_found', 'each item must have it'],
    ['[{"k":[]}]', '[{"k":1}]', 'key_not_found', 'as a string or number'],
    ['one', 'two', 'key_not_found', 'not in both tables'],
  ])('refuse a key that identifies nothing: %s and %s', (one, other, code, message) => {
    for (const compareWith of [compare, toJsonPatch]) {
      if (compareWith === toJsonPatch && !one.startsWith('[') && !one.startsWith('{')) continue
      const act = () => compareWith(bytes(one), bytes(other), { key: 'k' })
      expect(act).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
    }
  })

  it.each([
    ['{"a":1}', '{"a":2}'],
    ['[{"id":1}]', '[{"id":1}]'],
    ['[]', '[{"k":1}]'],
    ['{"a":[1],"b":[{"k":1}]}', '{"a":[2],"b":[{"k":2}]}'],
    ['[{"k":1,"in":[{"k":1},{"k":1}]}]', '[{"k":1,"in":[{"k":1},{"k":2}]}]'],
  ])('need a key only where arrays differ, and within its records none: %s and %s', (one, other) => {
    expect(compared(one, other, { key: 'k' }).as).toBe('json')
  })

  it('list as many changes as wanted, and count all', () => {
    const { changes, truncated, summary } = compared('[1,2,3]', '[4,5,6]', { maxChanges: 2 })
    expect([changes.length, truncated, summary.changed]).toEqual([2, true, 3])
  })

  const long = 'k'.repeat(1_000)
  const rows = (value: string): string => Array.from(Array(100).keys(), (id) => `${id},${value}\n`).join('')
  it.each([
    ['json', (value: string) => `{"${long}":[${Array(100).fill(value)}]}`],
    ['csv', (value: string) => `id,${long}\n${rows(value)}`],
    ['text', (value: string) => rows(value + long)],
  ] as const)('list no more of %s once their texts are as long as wanted, and count all', (as, of) => {
    const { changes, truncated, summary } = compared(of('1'), of('2'), { as, maxChangeUnits: 5_000 })
    expect([changes.length < 6, truncated, summary.changed]).toEqual([true, true, 100])
  })

  it.each([
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '[01]',
    '[1.]',
    '[-]',
    '"\\x"',
    '"a\nb"',
    '[1] 2',
    '[1',
    '',
    'nul',
    '{1:2}',
    '["\\u12g4"]',
  ])('are refused where they are none: %s', (text) =>
    expect(() => compared(text, '1', { as: 'json' })).toThrow(/^This is not JSON: .* at byte \d+\.$/),
  )

  it('may be 512 deep and no deeper', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(compared(nested(512), nested(512)).equal).toBe(true)
    expect(() => compared(nested(513), '1')).toThrow('deeper than 512')
  })

  it('have pointers to ignore that are pointers', () => {
    expect(() => compared('1', '1', { ignore: ['a'] })).toThrow('This is not a JSON Pointer: a')
  })
})

describe('tables of CSV', () => {
  const one = 'id,name,price\r\n1,apple,1.0\r\n2,"pear, green",2\r\n3,fig,3\r\n'
  const other = 'name,id,stock,price\nplum,0,5,9\napple,1,5,1\n"pear, green",2,5,2\n'

  it('are compared by columns and by the column that identifies rows', () => {
    expect(compared(one, other)).toEqual({
      equal: false,
      as: 'csv',
      guessedKeys: ['id'],
      summary: { added: 1, removed: 1, changed: 1, moved: 0, columnsAdded: ['stock'], columnsRemoved: [] },
      changes: [
        { op: 'add', pointer: '/0', to: 'plum,0,5,9', key: '0' },
        {
          op: 'replace',
          pointer: '/0/price',
          newPointer: '/1/price',
          from: '1.0',
          to: '1',
          key: '1',
          column: 'price',
        },
        { op: 'remove', pointer: '/2', from: '3,fig,3', key: '3' },
      ],
      truncated: false,
    })
  })

  it('may have numbers compared by value, and columns ignored', () => {
    const { summary } = compared(one, other, { numbers: 'value', ignore: ['/*/stock'] })
    expect(summary).toEqual({
      added: 1,
      removed: 1,
      changed: 0,
      moved: 0,
      columnsAdded: [],
      columnsRemoved: [],
    })
  })

  it('report a row that has moved, and its cells that have changed', () => {
    const { summary, changes } = compared('id,n\n1,a\n2,b\n', 'id,n\n2,b\n1,c\n3,d\n')
    expect(changes).toEqual([
      { op: 'move', pointer: '/0', newPointer: '/1', key: '1' },
      { op: 'replace', pointer: '/0/n', newPointer: '/1/n', from: 'a', to: 'c', key: '1', column: 'n' },
      { op: 'add', pointer: '/2', to: '3,d', key: '3' },
    ])
    expect(summary).toMatchObject({ added: 1, removed: 0, changed: 1, moved: 1 })
  })

  it.each([
    ['a,b\n1,2\n1,3\n', 'a,b\n1,2\n', 'key_not_unique', '/0 and /1 of the first table'],
    ['a,b\n1,2\n', 'a,b\n1,2\n,3\n', 'key_not_found', 'empty in /1 of the second table'],
    ['a,b\n1,2\n', 'b,c\n1,2\n', 'key_not_found', 'not in both tables'],
  ])('refuse a column that does not identify rows: %j and %j', (one, other, code, message) => {
    expect(() => compared(one, other, { as: 'csv', key: 'a' })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })

  it('are equal whichever delimiter, quotes and line breaks they have', () => {
    expect(compared('a,b\n1,x\n2,"y ""z"""', 'b;a\r\n"x";1\r\n"y ""z""";2\r\n')).toMatchObject({
      equal: true,
      as: 'csv',
    })
  })

  it('may have no rows on one side, where a column is named', () => {
    const rows = { as: 'csv', summary: { added: 2, removed: 0 } }
    expect(compared('id;n\n', 'id;n\n1;a\n2;b\n', { key: 'id' })).toMatchObject(rows)
  })

  it('may have rows of any width, and names more than once', () => {
    expect(compared('a,a\n1,2\n3', 'a,a\n1,2\n3,,x', { as: 'csv' }).summary).toMatchObject({
      changed: 0,
      columnsAdded: [''],
    })
  })

  it('have no columns that are empty beyond the header, and no name has a byte order mark', () => {
    expect(compared('a,b\n1,2\n3,4', '\ufeff"a",b\n1,2,\n3,4,""\n')).toMatchObject({ as: 'csv', equal: true })
    expect(compared('id,b\n1,2\n', '\ufeffid,b\n1,2\n', { key: 'id' })).toMatchObject({ equal: true })
  })

  it('may name their separator in the first line', () => {
    expect(compared('sep=;\nn;v\na;1,5\n', 'n,v\na,"1,5"\n')).toMatchObject({ as: 'csv', equal: true })
  })

  it.each([
    ['a,b\n1,"x"y\n', 'first table is not CSV at line 2, column 6'],
    ['a,b\n1, "x"\n', 'first table is not CSV at line 2, column 4'],
    ['a,b\n1,"x\n', 'first table is not CSV at line 2, column 3'],
    ['a,b;c\n1,2;3\n', 'a comma or a semicolon'],
  ])(
    'are refused where they are no CSV, and compared as text unless that is asked for: %j',
    (text, message) => {
      expect(() => compared(text, 'a|b\n1|x\n', { as: 'csv' })).toThrow(
        expect.objectContaining({ code: 'invalid_csv', message: expect.stringContaining(message) }),
      )
      expect(compared(text, text)).toMatchObject({ as: 'text', equal: true })
    },
  )
})

describe('texts', () => {
  it('are compared by lines', () => {
    const { as, changes } = compared('one\ntwo\nthree\nfour\n', 'one\nTwo\nfour\nfive')
    expect([as, changes]).toEqual([
      'text',
      [
        { op: 'replace', pointer: '/1', from: 'two', to: 'Two' },
        { op: 'remove', pointer: '/2', from: 'three' },
        { op: 'add', pointer: '/3', to: 'five' },
      ],
    ])
  })

  it('have no key', () => {
    expect(() => compared('a', 'b', { as: 'text', key: 'a' })).toThrow('Lines of text have no key.')
  })

  it('differ where only the last line feed does', () => {
    expect(compared('a\nb', 'a\nb\n').changes).toEqual([
      { op: 'replace', pointer: '/1', from: 'b', to: 'b\n' },
    ])
  })

  it('are compared themselves where they are stored as JSON', () => {
    expect(compared('"a b\\nc"', '"a b\\nd"').changes).toEqual([
      { op: 'replace', pointer: '/1', from: 'c', to: 'd' },
    ])
    expect(compared('{"csv":"a,b\\n1,2\\n"}', 'a,b\n1,2\n')).toMatchObject({ equal: true, as: 'csv' })
    expect(compared('{"json":"{\\"a\\": 1}"}', '{"a":1}')).toMatchObject({ equal: true, as: 'json' })
    expect(compared('{"a":"x"}', '{"a":"y"}').changes).toEqual([
      { op: 'replace', pointer: '/a', from: '"x"', to: '"y"' },
    ])
  })

  it('have a unified diff', () => {
    const lines = Array.from({ length: 20 }, (_line, at) => `${at}\n`)
    const changed = lines.with(2, 'x\n').toSpliced(17, 1).join('')
    const pieces = toUnifiedText(bytes(lines.join('')), bytes(changed), { names: ['a', 'b'], context: 1 })
    expect([...pieces].join('')).toBe(
      '--- a\n+++ b\n@@ -2,3 +2,3 @@\n 1\n-2\n+x\n 3\n@@ -17,3 +17,2 @@\n 16\n-17\n 18\n',
    )
  })
})

describe('progress', () => {
  const rows = (separator: string): string =>
    Array.from({ length: 5_000 }, (_row, at) => `${at}${separator}${at * 7}`).join('\n')
  it.each([
    ['json', JSON.stringify(Array.from({ length: 5_000 }, (_item, id) => ({ id })))],
    ['csv', rows(',')],
    ['text', rows(' ')],
  ] as const)('of %s is reported at most a hundred times, and only grows', (as, text) => {
    const shares: number[] = []
    compared(text, text, { as, onProgress: (share) => shares.push(share) })
    expect(shares.length).toBeGreaterThan(50)
    expect(shares.length).toBeLessThanOrEqual(100)
    expect(shares).toEqual(shares.toSorted((one, other) => one - other))
    expect([shares[0], shares.at(-1)].every((share = 0) => share > 0 && share <= 1)).toBe(true)
  })
})
