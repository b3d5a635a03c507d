import { expect, it } from 'vitest'
import { cellAt, linkToCell, rowNumber, type TableSource } from './cell-links.js'

const csv: TableSource = { source: 'csv', pointer: '/csv' }
const objects: TableSource = { source: 'objects', pointer: '/a~1b' }
const members: TableSource = { source: 'members', pointer: '' }
const columns = ['id', 'x/y~z', '']

it('a CSV row is numbered including the header, an object by its index', () => {
  expect(rowNumber(csv, 0)).toBe(2)
  expect(rowNumber(objects, 0)).toBe(0)
})

it.each([
  [csv, { row: 41, column: 2 }, { kind: 'cell', row: 43, column: 3 }],
  [csv, { row: -1, column: 0 }, { kind: 'cell', row: 1, column: 1 }],
  [members, { row: 3, column: 0 }, { kind: 'cell', row: 5, column: 1 }],
  [objects, { row: 42, column: 0 }, { kind: 'pointer', pointer: '/a~1b/42/id' }],
  [objects, { row: 0, column: 1 }, { kind: 'pointer', pointer: '/a~1b/0/x~1y~0z' }],
  [objects, { row: 0, column: 2 }, { kind: 'pointer', pointer: '/a~1b/0/' }],
] as const)('a link to a cell leads to that cell', (table, cell, place) => {
  expect(linkToCell(table, columns, cell, false)).toEqual(place)
  expect(cellAt(table, columns, place)).toEqual(cell)
})

it('a missing member is linked through its object', () => {
  expect(linkToCell(objects, columns, { row: 3, column: 1 }, true)).toEqual({
    kind: 'pointer',
    pointer: '/a~1b/3',
  })
})

it('a place within a cell belongs to that cell, and one beside the table to none', () => {
  expect(cellAt(objects, columns, { kind: 'pointer', pointer: '/a~1b/7/id/0/deep' })).toEqual({
    row: 7,
    column: 0,
  })
  expect(cellAt(objects, columns, { kind: 'pointer', pointer: '/a~1b/7' })).toEqual({ row: 7, column: 0 })
  for (const pointer of ['/a~1b', '/a~1bc/7/id', '/a~1b/07/id', '/a~1b/7/unknown', '/other/7'])
    expect(cellAt(objects, columns, { kind: 'pointer', pointer })).toBeNull()
  expect(cellAt(csv, columns, { kind: 'pointer', pointer: '/csv' })).toBeNull()
  expect(cellAt(objects, columns, { kind: 'line', line: 3 })).toBeNull()
})
