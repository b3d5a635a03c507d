import { describe, expect, it } from 'vitest'
import { lineAt, scrolledHeight, scrollTopOf } from './scroll-scale.js'

const few = { lineCount: 1_000, lineHeight: 20, viewportHeight: 400 }
const many = { lineCount: 5_000_000, lineHeight: 22.4, viewportHeight: 700 }

describe('a thousand lines', () => {
  it('are scrolled pixel by pixel', () => {
    expect(scrolledHeight(few)).toBe(20_000)
    expect(lineAt(50, few)).toBeCloseTo(2.5)
    expect(scrollTopOf(2.5, few)).toBeCloseTo(50)
  })
})

describe('five million lines', () => {
  it('stay within what browsers draw', () => {
    expect(scrolledHeight(many)).toBe(8_000_000)
  })

  it('have the last one at the bottom when scrolled to the end', () => {
    const top = lineAt(8_000_000 - 700, many)
    expect(top + many.viewportHeight / many.lineHeight).toBeCloseTo(5_000_000)
  })

  it.each([0, 1, 4_321.5, 4_999_000])('line %d is at the top when scrolled to', (line) => {
    expect(lineAt(scrollTopOf(line, many), many)).toBeCloseTo(line)
  })
})

it('what is lower than its view is not scrolled', () => {
  const short = { lineCount: 3, lineHeight: 20, viewportHeight: 400 }
  expect(scrollTopOf(2, short)).toBe(0)
  expect(lineAt(15, short)).toBe(0)
})

it('no scrolling leads before the first line or behind the last', () => {
  expect(lineAt(-50, few)).toBe(0)
  expect(lineAt(1e9, few)).toBe(980)
  expect(scrollTopOf(5_000, few)).toBe(19_600)
})
