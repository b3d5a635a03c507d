import { expect, it } from 'vitest'
import { type Column, table, wordedTable } from './table.js'
import { textWidth } from './text-width.js'

interface Row {
  readonly id: string
  readonly size: number
  readonly title: string
}

const columns: readonly Column<Row>[] = [
  { head: 'ID', cell: ({ id }) => id },
  {
    head: 'SIZE',
    cell: ({ size }) => size,
    words: ({ size }) => `${size} B`,
    align: 'right',
    narrow: 'leave',
  },
  {
    head: 'TITLE',
    cell: ({ title }) => title,
    narrow: 'cut',
    style: ({ size }) => (size > 9 ? 'red' : null),
  },
]
const rows: readonly Row[] = [
  { id: 'abcdef', size: 5, title: 'short' },
  { id: 'ghijkl', size: 10, title: '日本語の長いタイトルと\u001b[31mmore' },
]

function worded(width: number, ...more: readonly Column<Row>[]): readonly string[] {
  const paint = (style: string, text: string) => `<${style}>${text}</>`
  const text = wordedTable([...columns, ...more], rows, { width, nowMs: 0, paint })
  return text.split('\n').map((line) => line.replaceAll('<bold>', '').replaceAll('</>', ''))
}

it('a pipe gets what programs read, in columns', () => {
  expect(table(rows.map((row) => columns.map(({ cell }) => cell(row))))).toBe(
    'abcdef  5   short\nghijkl  10  日本語の長いタイトルと [31mmore\n',
  )
})

it('people get a head, words and styles', () => {
  expect(worded(60)).toEqual([
    'ID      SIZE  TITLE',
    'abcdef   5 B  short',
    'ghijkl  10 B  <red>日本語の長いタイトルと [31mmore',
    '',
  ])
})

it('long texts are cut first, and then less important columns are left out', () => {
  expect(worded(32)[2]).toBe('ghijkl  10 B  <red>日本語の長いタイ…')
  expect(worded(29)).toEqual(['ID      TITLE', 'abcdef  short', 'ghijkl  <red>日本語の長いタイトル…', ''])
})

it.each([80, 40, 30, 20, 12, 8, 6])('no line is wider than a terminal of %i columns', (width) => {
  const plain = worded(width).map((line) => line.replace('<red>', ''))
  expect(Math.max(...plain.map(textWidth))).toBeLessThanOrEqual(width)
})

it('ids are never cut: the terminal wraps what is too wide', () => {
  expect(worded(3)).toEqual(['ID', 'abcdef', 'ghijkl', ''])
  const link: Column<Row> = { head: 'LINK', cell: ({ id }) => `https://a.example/${id}` }
  expect(worded(12, link)[1]).toBe('abcdef  https://a.example/abcdef')
})

it('a list may be long', () => {
  const many = Array.from({ length: 150_000 }, () => ({ id: 'abcdef', size: 1, title: 'one' }))
  const ids = columns.slice(0, 1)
  const text = wordedTable(ids, many, { width: 80, nowMs: 0, paint: (_style, painted) => painted })
  expect(text.length).toBe('ID\n'.length + many.length * 'abcdef\n'.length)
})

it('a hidden column is for pipes only', () => {
  const hidden: Column<Row> = { head: 'MORE', cell: ({ id }) => id, isHidden: true }
  expect(worded(60, hidden)[0]).toBe('ID      SIZE  TITLE')
})
