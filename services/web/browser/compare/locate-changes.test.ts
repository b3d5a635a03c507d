import { expect, it } from 'vitest'
import type { Change } from '#engine/compare/comparison.js'
import { locateChanges } from './locate-changes.js'

const placesOf = (changes: readonly Change[]): unknown[] =>
  locateChanges(changes).map(({ steps, beforeFrom }) => [steps.join('/'), beforeFrom])

it('what moved is placed where it is now, together with what is gone from it', () => {
  expect(
    placesOf([
      { op: 'add', pointer: '/items/0', to: '{}' },
      { op: 'replace', pointer: '/items/4/price', newPointer: '/items/5/price', from: '1', to: '2' },
      { op: 'remove', pointer: '/items/4/old', from: '1' },
      { op: 'add', pointer: '/items/5/new', to: '1' },
    ]),
  ).toEqual([
    ['items/0', 2],
    ['items/5/price', 3],
    ['items/5/old', 2],
    ['items/5/new', 3],
  ])
})

it('what is gone from an item that cannot be found again is of the first document from that item on', () => {
  expect(
    placesOf([
      { op: 'remove', pointer: '/items/0', from: '{}' },
      { op: 'remove', pointer: '/items/4/old', from: '1' },
      { op: 'remove', pointer: '/other/4/old', from: '1' },
    ]),
  ).toEqual([
    ['items/0', 1],
    ['items/4/old', 1],
    ['other/4/old', 2],
  ])
})
