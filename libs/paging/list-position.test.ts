import { expect, it } from 'vitest'
import { encodeCursor } from './cursor.js'
import { cursorOf, positionOf } from './list-position.js'

it('a list position survives its cursor', () => {
  const position = { createdAt: new Date('2030-01-31T23:59:59.999Z'), id: 'Ab_-9' }
  expect(positionOf(cursorOf(position))).toEqual(position)
  expect(positionOf(cursorOf(null))).toBeNull()
})

it.each([
  ['an invalid time', 'yesterday', 'a'],
  ['a time before the year 1', '-271821-04-20T00:00:00.000Z', 'a'],
  ['a time in the year 0', '0000-12-31T00:00:00.000Z', 'a'],
  ['a time after the year 9999', '+010000-01-01T00:00:00.000Z', 'a'],
  ['no id', '2030-01-31T00:00:00.000Z', ''],
  ['invalid characters in its id', '2030-01-31T00:00:00.000Z', "a'"],
])('a cursor with a good checksum but %s is rejected', (_what, time, id) => {
  expect(() => positionOf(encodeCursor([time, id]))).toThrow(
    expect.objectContaining({ kind: 'invalid', code: 'invalid_cursor' }),
  )
})
