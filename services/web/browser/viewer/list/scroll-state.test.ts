import { expect, it } from 'vitest'
import { contentHeight, type RowSpace, scrollStateAt, topAt, topToShow } from './scroll-state.js'

const small: RowSpace = { rowCount: 100, rowHeight: 28, viewHeight: 280 }
const huge: RowSpace = { rowCount: 1_000_000, rowHeight: 28, viewHeight: 280 }
const lastTop = 28_000_000 - 280

it('a short list is as high as its rows, a huge one as high as browsers allow', () => {
  expect(contentHeight(small)).toBe(2_800)
  expect(contentHeight(huge)).toBe(8_000_000)
})

it('in a short list the scroll bar gives the first visible pixel', () => {
  expect(topAt(small, 777)).toBe(777)
  expect(scrollStateAt(small, 99_999)).toEqual({ scrollTop: 2_520, top: 2_520 })
})

it('every row of a huge list can be scrolled to, the first and the last one too', () => {
  expect(scrollStateAt(huge, -5)).toEqual({ scrollTop: 0, top: 0 })
  expect(scrollStateAt(huge, 1e12)).toEqual({ scrollTop: 7_999_720, top: lastTop })
  for (const row of [1, 12_345, 654_321, 999_000]) {
    const { scrollTop, top } = scrollStateAt(huge, row * 28)
    expect(top).toBe(row * 28)
    expect(scrollTop).toBeGreaterThanOrEqual(0)
    expect(scrollTop).toBeLessThanOrEqual(7_999_720)
  }
})

it('a visible row stays, the next one moves in at the edge, a far one to the middle', () => {
  expect(topToShow(small, 280, 10)).toBe(280)
  expect(topToShow(small, 280, 9)).toBe(252)
  expect(topToShow(small, 280, 20)).toBe(308)
  expect(topToShow(small, 280, 80)).toBe(2_240 - 126)
})

it.each([0, 1, 4_321.5, 4_999_000])('line %d of five million is at the top when scrolled to', (line) => {
  const space = { rowCount: 5_000_000, rowHeight: 22.4, viewHeight: 700 }
  const { scrollTop } = scrollStateAt(space, line * 22.4)
  // One pixel of the scroll bar stands for 14 pixels of lines.
  expect(Math.abs(topAt(space, scrollTop) / 22.4 - line)).toBeLessThan(1)
})

it('scrolling stays between the first row and the last, and a list lower than its view does not scroll', () => {
  expect(topAt(small, -50)).toBe(0)
  expect(topAt(small, 1e9)).toBe(2_520)
  expect(topAt(huge, 1e9)).toBe(lastTop)
  const short = { rowCount: 3, rowHeight: 20, viewHeight: 400 }
  expect(topAt(short, 15)).toBe(0)
  expect(scrollStateAt(short, 40)).toEqual({ scrollTop: 0, top: 0 })
})
