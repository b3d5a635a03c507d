import { expect, it } from 'vitest'
import { addTags } from './tags.js'

it('tags are trimmed, kept in order and once each', () => {
  expect(addTags(['a'], ' b , a,, c ')).toEqual(['a', 'b', 'c'])
})

it('what the API would refuse is not taken', () => {
  expect(addTags([], `ok,${'x'.repeat(51)}`)).toEqual(['ok'])
  expect(addTags([], '😀'.repeat(50))).toHaveLength(1)
  expect(addTags([], Array.from({ length: 30 }, (_, n) => n).join(','))).toHaveLength(20)
})
