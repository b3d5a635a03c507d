import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { csvRows } from './csv-row-locator.js'
import type { LocatedRows, RowRange } from './located-rows.js'
import { createPointerLocators } from './pointer-locator.js'
import { createRowLocator } from './row-locator.js'

function locateIn(chunks: readonly Buffer[], range: RowRange): LocatedRows | null {
  const locator = createRowLocator(range)
  for (const chunk of chunks) locator.push(chunk)
  return locator.finish()
}

/** The header, the rows and the number of rows of a JSON text. */
function slice(json: string, first: number, last: number): readonly [string, string, number] | null {
  const bytes = Buffer.from(json)
  const found = locateIn([bytes], { first, last })
  for (const size of [1, 2, 3, 7]) expect(locateIn(cutEvery(bytes, size), { first, last })).toEqual(found)
  if (found === null) return null
  const text = ({ start, end }: LocatedRows['rows']): string => bytes.subarray(start, end).toString()
  return [text(found.header), text(found.rows), found.total]
}

/** The same for a CSV text, decoded. */
function records(csv: string, first: number, last: number): readonly [string, string, number] {
  const [header = '', rows = '', total = -1] = slice(JSON.stringify(csv), first, last) ?? []
  return [JSON.parse(`"${header}"`), JSON.parse(`"${rows}"`), total]
}

describe('items of an array', () => {
  it.each([
    ['[1,2,3]', 1, 2, '1,2', 3],
    ['[1,2,3]', 2, 2, '2', 3],
    ['[1,2,3]', 3, 9, '3', 3],
    ['[1,2,3]', 4, 9, '', 3],
    ['[]', 1, 1, '', 0],
    ['[ \n ]', 1, 1, '', 0],
    ['[[]]', 1, 1, '[]', 1],
    ['[12345678901234567890,1.10]', 1, 1, '12345678901234567890', 2],
    ['[\n  {"a":[1,2]},\n  {"b":"x,]\\"\\\\"},\n  3\n]', 2, 2, '\n  {"b":"x,]\\"\\\\"}', 3],
    ['[\n  1,\n  2\n]', 2, 2, '\n  2\n', 2],
    ['["\\\\","a,b"]', 2, 2, '"a,b"', 2],
  ])('of %s from %i to %i are returned byte for byte', (json, first, last, rows, total) =>
    expect(slice(json, first, last)).toEqual(['', rows, total]),
  )

  it('are found in any array, however it is written and chunked', () => {
    const item = fc.oneof(
      fc.constantFrom('1', '"]"', '"\\","', '{}', '[]', '{"a":[1,{"b":"}"}]}', 'null', '"é"', '[[1],[2,3]]'),
      fc.json({ maxDepth: 3 }),
    )
    const space = fc.constantFrom('', ' ', '\n  ')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(space, item, space), { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat({ max: 4 }),
        fc.integer(),
        (parts, first, more, seed) => {
          const items = parts.map((part) => part.join(''))
          const bytes = Buffer.from(`[${items.join(',')}]`)
          const range = { first, last: first + more }
          const found = locateIn(cutAnywhere(bytes, seededRandom(seed)), range)
          const wanted = items.slice(first - 1, first + more).join(',')
          expect(found?.total).toBe(items.length)
          expect(bytes.subarray(found?.rows.start, found?.rows.end).toString()).toBe(wanted)
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

describe('records of CSV', () => {
  it.each([
    ['a,b\n1,2\n3,4\n', 1, 1, '1,2\n', 2],
    ['a,b\r\n1,2\r\n3,4', 2, 9, '3,4', 2],
    ['a,b\r1,2\r3,4\r', 2, 2, '3,4\r', 2],
    ['a\n"x\ny"\n"2"\n', 2, 2, '"2"\n', 2],
    ['a\n"say ""\n"""\n2', 1, 1, '"say ""\n"""\n', 2],
    ['a;b\n1;"x\ny"\n2;3\n', 2, 2, '2;3\n', 2],
    // A quote within an unquoted field is an ordinary character.
    ['size\n5" pipe\n6" pipe\n', 2, 2, '6" pipe\n', 2],
    ['a,b\n1,2\n\n3,4\n', 2, 3, '3,4\n', 2],
    ['a,b\r\n\r\n1,2\r\n\r\n\r3,4\r\n\r\n', 1, 2, '1,2\r\n\r\n\r3,4\r\n', 2],
    // Only the separator of the text begins a field.
    ['a,b\n1,x;"y\n2,3\n', 2, 2, '2,3\n', 2],
    // Lines are records even if it is unclear what separates cells.
    ['a,b;c\n1,2;3\n', 1, 1, '1,2;3\n', 1],
    ['a,b\n1,2\n', 7, 9, '', 1],
    ['a,b', 1, 1, '', 0],
    ['', 1, 1, '', 0],
  ])('of %j from %i to %i are returned with the header', (csv, first, last, rows, total) => {
    const header = csv.startsWith('size') ? 'size\n' : (/^[^\r\n]*(\r\n|[\r\n]|$)/.exec(csv)?.[0] ?? '')
    expect(records(csv, first, last)).toEqual([header, rows, total])
  })

  it('may begin with a line that names their separator, which comes with the header', () => {
    expect(records('sep=;\r\na;"b\n"\r\n1,5;2\r\n3;4', 1, 1)).toEqual([
      'sep=;\r\na;"b\n"\r\n',
      '1,5;2\r\n',
      2,
    ])
    expect(records('\ufeffsep=,\n\na\n1\n', 1, 1)).toEqual(['\ufeffsep=,\n\na\n', '1\n', 1])
    expect(records('sep=;', 1, 1)).toEqual(['', '', 0])
  })

  it.each(['sep=;\na;b\n1;2\n', '\ufeffsep=;\r\na;b\r\n1;2\r\n'])(
    'may begin with such a line that is decoded bit by bit: %j',
    (csv) => {
      const bytes = Buffer.from(JSON.stringify(csv))
      for (let pieceBytes = 1; pieceBytes <= bytes.length; pieceBytes += 1) {
        const reader = csvRows({ first: 1, last: 1 }, pieceBytes)
        reader.push(bytes, 0)
        const { header, rows, total } = reader.finish()
        const text = ({ start, end }: LocatedRows['rows']) => JSON.parse(`"${bytes.subarray(start, end)}"`)
        expect([text(header) + text(rows), text(rows)], `${pieceBytes}`).toEqual([
          csv,
          csv.slice(csv.indexOf('1')),
        ])
        expect(total).toBe(1)
      }
    },
  )

  it.each([
    ['a,b\n1,"x"y\n', 'csv_after_quote', { offset: 9, line: 2, column: 6 }],
    ['\ufeffa,b\né, "x"\n', 'csv_quote_after_blank', { offset: 11, line: 2, column: 4 }],
    ['a,b\r\n1,"x\n', 'csv_quote_open', { offset: 7, line: 2, column: 3 }],
    ['a,b;5" c\n1,2;3\n', 'csv_separator_unclear', null],
  ])('are refused in %j: %s', (csv, code, position) => {
    const bytes = Buffer.from(JSON.stringify(csv))
    for (const size of [1, 2, 3, 100])
      expect(() => locateIn(cutEvery(bytes, size), { first: 1, last: 1 })).toThrow(
        expect.objectContaining({ code, position }),
      )
  })

  it('are found in a long text, whose beginning shows the separator', () => {
    const csv = `a;"b"\n${'1;"x\ny"\n'.repeat(50_000)}2;3\n`
    const bytes = Buffer.from(JSON.stringify(csv))
    for (const size of [1_000, 65_536, bytes.length]) {
      const found = locateIn(cutEvery(bytes, size), { first: 50_001, last: 50_001 })
      expect(found?.total).toBe(50_001)
      expect(bytes.subarray(found?.rows.start, found?.rows.end).toString()).toBe('2;3\\n')
    }
  })

  it('may begin with a byte order mark, and contain escapes', () => {
    expect(records('\ufeff"a\nb"\n1\n2\n', 2, 2)).toEqual(['\ufeff"a\nb"\n', '2\n', 2])
    const escaped = '"\\ufeff\\u0022a\\nb\\u0022\\u000d\\u000A1\\u000a2"'
    expect(slice(escaped, 2, 2)).toEqual(['\\ufeff\\u0022a\\nb\\u0022\\u000d\\u000A', '2', 2])
  })

  it('are found however the text is written and chunked', () => {
    const cell = fc.constantFrom(
      '',
      'a',
      '5" x',
      'é€😀',
      '\\',
      '"x\ny"',
      '"a""\r\n"',
      '"\r,;\t|"',
      '""',
      '"\ufeff"',
    )
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
    const record = fc.tuple(
      fc.array(cell, { minLength: 2, maxLength: 4 }),
      lineEnd,
      fc.array(lineEnd, { maxLength: 2 }),
    )
    const written = (text: string, seed: number): string => {
      const random = seededRandom(seed)
      const unit = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
      return `"${text
        .split('')
        .map((one) => {
          const isHalf = /[\ud800-\udfff]/.test(one)
          return random.below(4) === 0 || isHalf ? unit(one) : JSON.stringify(one).slice(1, -1)
        })
        .join('')}"`
    }
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 8 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('', '\ufeff'),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(3),
        fc.integer(),
        (table, separator, mark, first, more, seed) => {
          const [header = '', ...rows] = table.map(([cells, end]) => `${cells.join(separator)}${end}`)
          // A line feed after a carriage return would belong to its line break.
          const empty = table.map(([, end, ends]) =>
            end === '\r' ? '' : ends.filter((one) => one !== '\n').join(''),
          )
          const before = `${mark}sep=${separator}\n`
          const parts = rows.map((row, at) => `${row}${empty[at + 1]}`)
          const text = `${before}${header}${empty[0] ?? ''}${parts.join('')}`
          const bytes = Buffer.from(written(text, seed))
          const found = locateIn(cutAnywhere(bytes, seededRandom(seed)), { first, last: first + more })
          const decoded = (span: LocatedRows['rows'] | undefined): string =>
            JSON.parse(`"${bytes.subarray(span?.start, span?.end)}"`)
          const wanted = parts.slice(first - 1, first + more)
          const tail = empty[first + wanted.length - 1] ?? ''
          expect(decoded(found?.header)).toBe(table.length === 0 ? '' : before + header)
          const joined = wanted.join('')
          expect(decoded(found?.rows)).toBe(joined.slice(0, joined.length - tail.length))
          expect(found?.total).toBe(rows.length)
        },
      ),
      { numRuns: 5_000 },
    )
  })
})

it.each(['{}', '{"a":[1]}', '12', 'true', 'null'])('%s has no rows', (json) =>
  expect(slice(json, 1, 1)).toBeNull(),
)

it('of duplicate keys, the last value has the rows', () => {
  const bytes = Buffer.from('{"a":[1,2,3],"b":[7],"a":"h\\nx\\ny","c":[5],"a":[4,5]}')
  const createPointerLocator = createPointerLocators()
  for (const size of [1, 2, 5, 64]) {
    const rows = createRowLocator({ first: 2, last: 2 })
    const locator = createPointerLocator(['a'], 0, rows)
    for (const chunk of cutEvery(bytes, size)) locator.push(chunk)
    expect(locator.finish()?.kind).toBe('array')
    expect(rows.finish()).toEqual({
      kind: 'array',
      header: { start: 0, end: 0 },
      rows: { start: 3, end: 4 },
      total: 2,
    })
  }
})
