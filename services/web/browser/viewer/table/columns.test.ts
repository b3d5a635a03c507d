import { expect, it } from 'vitest'
import { columnEdges, columnsBetween, columnWidth, leftToShow } from './columns.js'

const edges = columnEdges([100, 200, 100, 300], 50)

it('edges follow from the widths', () => {
  expect(edges).toEqual([50, 150, 350, 450, 750])
})

it('a column is as wide as its longest text, within limits', () => {
  expect(columnWidth('id', ['1'], 8)).toBe(64)
  expect(columnWidth('name', ['x'.repeat(20), null], 8)).toBe(180)
  expect(columnWidth('a long name', ['x'], 8)).toBe(124)
  expect(columnWidth('note', ['x'.repeat(9_999)], 8)).toBe(384)
})

it('the visible columns are rendered, plus one on either side', () => {
  expect(columnsBetween(edges, 0, 149)).toEqual({ first: 0, end: 2 })
  expect(columnsBetween(edges, 360, 440)).toEqual({ first: 1, end: 4 })
  expect(columnsBetween(columnEdges([], 50), 0, 1_000)).toEqual({ first: 0, end: 0 })
})

it('a column is scrolled into view from either side, and a visible one stays', () => {
  const view = { left: 300, width: 200, covered: 50 }
  expect(leftToShow(edges, 2, view)).toBe(300)
  expect(leftToShow(edges, 0, view)).toBe(0)
  expect(leftToShow(edges, 3, view)).toBe(400)
})
