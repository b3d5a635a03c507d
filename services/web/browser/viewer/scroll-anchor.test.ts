import { expect, it } from 'vitest'
import { settledAnchor } from './scroll-anchor.js'

/** Each third line is broken into five. */
const heightOf = (line: number): number => (line % 3 === 0 ? 100 : 20)

it.each([
  ['stays where it is', { line: 4, offset: -5 }, { line: 4, offset: -5 }],
  ['moves on past lines that are out of sight', { line: 3, offset: -120 }, { line: 5, offset: 0 }],
  ['moves back to the line that came into sight', { line: 4, offset: 30 }, { line: 3, offset: -70 }],
  ['has nothing above the first line', { line: 1, offset: 150 }, { line: 0, offset: 0 }],
  ['is the last line at the furthest', { line: 8, offset: -900 }, { line: 9, offset: -880 }],
])('the anchor %s', (_what, from, to) => {
  expect(settledAnchor(from, 10, heightOf)).toEqual(to)
})
