import { expect, it } from 'vitest'
import { rankFound } from './rank-found.js'

const items = [
  { label: 'JSON to CSV', words: 'json-to-csv table' },
  { label: 'CSV to JSON', words: 'csv-to-json' },
  { label: 'JSON formatter', words: 'json-format pretty beautify' },
]

function found(typed: string): readonly string[] {
  return rankFound(items, typed).map(({ label }) => label)
}

it('the name comes before its beginning, other words and scattered words', () => {
  expect(found('csv to json')).toEqual(['CSV to JSON', 'JSON to CSV'])
  expect(found('csv')).toEqual(['CSV to JSON', 'JSON to CSV'])
  expect(found(' Pretty ')).toEqual(['JSON formatter'])
  expect(found('beautify json')).toEqual(['JSON formatter'])
})

it('an empty search finds everything in its order, a foreign word nothing', () => {
  expect(found(' ')).toEqual(items.map(({ label }) => label))
  expect(found('zebra')).toEqual([])
})
