import { expect, it } from 'vitest'
import { offsetOfPlace, placeOfOffset } from './text-place.js'

const text = '{\n  "😀": 1,\n\n}'

it('lines and columns lead to the character they count, and back', () => {
  for (const [line, column, character] of [
    [1, 1, '{'],
    [2, 3, '"'],
    [2, 5, '"'],
    [2, 8, '1'],
    [3, 1, '\n'],
    [4, 1, '}'],
  ] as const) {
    const offset = offsetOfPlace(text, line, column)
    expect(text[offset], `${line}:${column}`).toBe(character)
    expect(placeOfOffset(text, offset)).toEqual({ line, column })
  }
})

it('places beyond the text are its end', () => {
  expect(offsetOfPlace(text, 9, 1)).toBe(text.length)
  expect(offsetOfPlace(text, 4, 99)).toBe(text.length)
  expect(placeOfOffset(text, text.length)).toEqual({ line: 4, column: 2 })
})
