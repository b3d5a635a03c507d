import { expect, it } from 'vitest'
import type { PartQueries } from './document-messages.js'
import type { ReadPart } from './read-part.js'
import { firstPart } from './testing/reader-of.js'

function read(json: string): Promise<ReadPart> {
  return firstPart(json)
}

const anything = { caseSensitive: false, backwards: false }
const plain = { sort: null, filter: '' }

const csv = async (text: string): Promise<PartQueries> => (await read(JSON.stringify({ csv: text }))).queries
const cells = (
  queries: PartQueries,
  sort: { column: number; descending: boolean } | null = null,
  filter = '',
) => queries.rows({ from: 0, count: 100, sort, filter }).rows.map((row) => row.cells)

it('a cell that holds a line break or a quote stays one cell', async () => {
  const queries = await csv('a,b\r\n"1\r\n2","x ""y"", z"\r\n')
  expect(queries.table()).toMatchObject({ columns: ['a', 'b'], rowCount: 1 })
  expect(cells(queries)).toEqual([['1\r\n2', 'x "y", z']])
})

it('short rows are padded, and longer ones add unnamed columns', async () => {
  const queries = await csv('a,b\n1\n1,2,3')
  expect(queries.table().columns).toEqual(['a', 'b', ''])
  expect(cells(queries)).toEqual([
    ['1', null, null],
    ['1', '2', '3'],
  ])
})

it('a byte order mark is not part of the first name', async () => {
  expect((await csv('\ufeffa,b\n1,2')).table().columns).toEqual(['a', 'b'])
})

it('numbers are sorted by value with all digits, and missing values come last in both directions', async () => {
  const queries = await csv('n,t\n10,x\n,x\n9,x\n12345678901234567891,x\n12345678901234567890,x\n-1.5,x')
  expect(queries.table().numeric).toEqual([true, false])
  const ascending = ['-1.5', '9', '10', '12345678901234567890', '12345678901234567891']
  const column = (descending: boolean) => cells(queries, { column: 0, descending }).map(([cell]) => cell)
  expect(column(false)).toEqual([...ascending, ''])
  expect(column(true)).toEqual([...ascending.toReversed(), ''])
})

it('texts are sorted in natural order, and equal ones keep their order', async () => {
  const queries = await csv('t,n\nitem 10,1\nItem 9,2\nÄpfel,3\nitem 10,4')
  expect(cells(queries, { column: 0, descending: false }).map(([, n]) => n)).toEqual(['3', '2', '1', '4'])
  expect(cells(queries, { column: 0, descending: true }).map(([, n]) => n)).toEqual(['1', '4', '2', '3'])
})

it('a filter keeps matching rows with their own numbers', async () => {
  const queries = await csv('a,b\nx,1\nyes,2\nx,YES')
  const page = queries.rows({ from: 0, count: 1, sort: { column: 1, descending: true }, filter: 'Yes' })
  expect(page.total).toBe(2)
  expect(page.rows.map(({ index }) => index)).toEqual([2])
  expect(queries.positionOf(0, { sort: null, filter: 'yes' })).toBeNull()
  expect(queries.positionOf(2, { sort: null, filter: 'yes' })).toBe(1)
})

it('objects yield a column per key, and nested values stay compact JSON', async () => {
  const { queries } = await read(
    '{"rows":[{"a":1.0,"b":{ "x" : "y z" }},{"c":"\\u0041é","a":null},7,{"a":[ ]}]}',
  )
  expect(queries.table()).toMatchObject({ columns: ['a', 'b', 'c'], rowCount: 4, omittedRows: 0 })
  expect(cells(queries)).toEqual([
    ['1.0', '{"x":"y z"}', null],
    ['null', null, 'Aé'],
    [null, null, null],
    ['[]', null, null],
  ])
})

it('a search visits the cells in displayed order', async () => {
  const queries = await csv('a,b\nx1,y\ny,x2')
  const wanted = { text: 'X', ...anything }
  const sorted = { sort: { column: 0, descending: true }, filter: '' }
  const first = queries.findCell(wanted, sorted, null)
  expect(first).toEqual({ position: 0, column: 1, row: 1, index: 0, total: 2 })
  const second = queries.findCell(wanted, sorted, first)
  expect(second).toEqual({ position: 1, column: 0, row: 0, index: 1, total: 2 })
  expect(queries.findCell({ ...wanted, isHere: true }, sorted, second)).toEqual(second)
  expect(queries.findCell(wanted, sorted, second)).toEqual(first)
  expect(queries.findCell({ ...wanted, backwards: true }, plain, null)).toEqual({
    position: 1,
    column: 1,
    row: 1,
    index: 1,
    total: 2,
  })
  expect(queries.findCell({ ...wanted, text: 'z' }, plain, null)).toBeNull()
})

it('rows beyond the limit are counted, and a long cell is cut but available in full', async () => {
  const queries = await csv(`a,b\n${'x'.repeat(600)},2\n${'1,2\n'.repeat(200_004)}`)
  expect(queries.table()).toMatchObject({ rowCount: 200_000, omittedRows: 5 })
  expect(cells(queries)[0]?.[0]).toBe(`${'x'.repeat(500)}…`)
  expect(queries.cell(0, 0)).toBe('x'.repeat(600))
  expect(queries.cell(200_000, 0)).toBeNull()
})

it('a wide table keeps fewer rows, so that a small document cannot fill the memory', async () => {
  const keys = Array.from({ length: 2_000 }, (_key, column) => `"k${column}":1`).join(',')
  const { queries } = await read(
    `{"rows":[{${keys}},${Array.from({ length: 5_000 }, () => '{"k1999":2}').join(',')}]}`,
  )
  const shape = queries.table()
  expect(shape.columns.length).toBe(2_000)
  expect(shape.rowCount).toBe(4_000)
  expect(shape.omittedRows).toBe(1_001)
})

it('a search goes backwards through rows of unequal length, and continues from the header', async () => {
  const queries = await csv('a,b,c\nx\ny,x,z\nq')
  const back = { text: 'x', caseSensitive: false, backwards: true }
  const last = queries.findCell(back, plain, null)
  expect(last).toEqual({ position: 1, column: 1, row: 1, index: 1, total: 2 })
  const first = queries.findCell(back, plain, last)
  expect(first).toEqual({ position: 0, column: 0, row: 0, index: 0, total: 2 })
  expect(queries.findCell(back, plain, first)).toEqual(last)
  const header = { position: -1, column: 2, row: -1 }
  expect(queries.findCell({ ...back, backwards: false }, plain, header)).toEqual(first)
})

it('the members of an object that are alike are rows, with their keys first', async () => {
  const { opened, queries } = await read(
    '{"1":{"n":"Hidden","d":0},"b\\n":{"n":"Auto","key":1.50,"d":{"x":[]}}}',
  )
  expect(opened).toMatchObject({ kind: 'json', table: { source: 'members', pointer: '' } })
  expect(queries.table().columns).toEqual(['key', 'n', 'd', 'key'])
  expect(cells(queries)).toEqual([
    ['1', 'Hidden', '0', null],
    ['b\n', 'Auto', '{"x":[]}', '1.50'],
  ])
})

it.each([
  '{"a":{"x":1}}',
  '{"a":{"x":1},"b":{"y":1}}',
  '{"a":{"x":1},"b":{"x":1,"y":2,"z":3}}',
  '{"a":{"x":1},"b":["x"]}',
  '{"a":{},"b":{}}',
  '{"a":{"x":1},"b":{"x":1},"c":null}',
])('other objects are no table: %s', async (json) => {
  expect((await read(json)).opened.table).toBeNull()
})
