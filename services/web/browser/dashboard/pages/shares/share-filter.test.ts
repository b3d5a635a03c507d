import { expect, it } from 'vitest'
import { readShareFilter, writeShareFilter } from './share-filter.js'

it.each([
  ['', { state: 'live', tool: '' }],
  ['state=expired&tool=csv', { state: 'expired', tool: 'csv' }],
  ['state=all', { state: 'all', tool: '' }],
] as const)('the address ?%s is a filter, and the filter that address', (query, filter) => {
  expect(readShareFilter(new URLSearchParams(query))).toEqual(filter)
  expect(writeShareFilter(filter).toString()).toBe(query)
})

it('an unknown state falls back to the default', () => {
  expect(readShareFilter(new URLSearchParams('state=gone')).state).toBe('live')
})
