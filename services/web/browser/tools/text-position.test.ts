import { expect, it } from 'vitest'
import { offsetOfPosition, positionOfOffset } from './text-position.js'

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
    const offset = offsetOfPosition(text, line, column)
    expect(text[offset], `${line}:${column}`).toBe(character)
    expect(positionOfOffset(text, offset)).toEqual({ line, column })
  }
})

it('places beyond the text are its end', () => {
  expect(offsetOfPosition(text, 9, 1)).toBe(text.length)
  expect(offsetOfPosition(text, 4, 99)).toBe(text.length)
  expect(positionOfOffset(text, text.length)).toEqual({ line: 4, column: 2 })
})
