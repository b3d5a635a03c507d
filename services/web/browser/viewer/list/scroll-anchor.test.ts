import { expect, it } from 'vitest'
import { settledAnchor } from './scroll-anchor.js'

/** Every third row is five times as high. */
const heightOf = (row: number): number => (row % 3 === 0 ? 100 : 20)

it.each([
  ['stays where it is', { row: 4, offset: -5 }, { row: 4, offset: -5 }],
  ['moves on past rows that are out of sight', { row: 3, offset: -120 }, { row: 5, offset: 0 }],
  ['moves back to the row that came into sight', { row: 4, offset: 30 }, { row: 3, offset: -70 }],
  ['has nothing above the first row', { row: 1, offset: 150 }, { row: 0, offset: 0 }],
  ['is the last row at the furthest', { row: 8, offset: -900 }, { row: 9, offset: -880 }],
])('the anchor %s', (_what, from, to) => {
  expect(settledAnchor(from, 10, heightOf)).toEqual(to)
})
