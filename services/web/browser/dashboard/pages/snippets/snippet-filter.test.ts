import { expect, it } from 'vitest'
import { isFiltering, readFilter, writeFilter } from './snippet-filter.js'

it('a filter survives the URL', () => {
  const filter = { tool: 'json-to-csv', tags: ['a b', 'c&d', '#e'], search: 'über all' }
  expect(readFilter(new URLSearchParams(String(writeFilter(filter))))).toEqual(filter)
})

it('an empty query filters nothing', () => {
  const filter = readFilter(new URLSearchParams('q=&tag=&tag=%20&other=1'))
  expect(filter.tags).toEqual([])
  expect(isFiltering(filter)).toBe(false)
  expect(String(writeFilter(filter))).toBe('')
})
