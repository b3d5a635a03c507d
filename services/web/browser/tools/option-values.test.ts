import { expect, it } from 'vitest'
import { fragmentOf, optionsIn } from './option-values.js'

it('a fragment keeps options, whatever is in them', () => {
  const values = [
    ['path', '$.items[?@.price < 10 && @.name == "a#b%"]'],
    ['indent', 'tab'],
  ] as const
  expect(optionsIn(fragmentOf(values))).toEqual(values)
  expect(fragmentOf([])).toBe('')
  expect(optionsIn('')).toEqual([])
})
