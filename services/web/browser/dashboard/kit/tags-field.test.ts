import { expect, it } from 'vitest'
import { addTags } from './tags-field.js'

it('tags are trimmed, kept in order and deduplicated', () => {
  expect(addTags(['a'], ' b , a,, c ')).toEqual(['a', 'b', 'c'])
})

it('tags that the API would reject are left out', () => {
  expect(addTags([], `ok,${'x'.repeat(51)}`)).toEqual(['ok'])
  expect(addTags([], '😀'.repeat(50))).toHaveLength(1)
  expect(addTags([], Array.from({ length: 30 }, (_, n) => n).join(','))).toHaveLength(20)
})
