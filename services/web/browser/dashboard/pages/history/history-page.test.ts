import { expect, it } from 'vitest'
import { metadataFacts } from './history-page.js'

it('a string is shown as is, everything else as JSON', () => {
  expect(
    metadataFacts({ rows: 12, from: 'csv', strict: true, path: ['a', { b: null }], none: null }),
  ).toEqual([
    ['rows', '12'],
    ['from', 'csv'],
    ['strict', 'true'],
    ['path', '["a",{"b":null}]'],
    ['none', 'null'],
  ])
})

it('without metadata nothing is shown', () => {
  expect(metadataFacts(null)).toEqual([])
})
