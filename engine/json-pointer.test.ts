import { describe, expect, it } from 'vitest'
import { pointerTo, stepsOf } from './json-pointer.js'

describe('a JSON Pointer', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/foo/0', ['foo', '0']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/~00~11', ['~0/1']],
    ['/ ', [' ']],
    ['//', ['', '']],
    ['/é\n"\\', ['é\n"\\']],
  ])('%j is read and written as RFC 6901 says', (pointer, steps) => {
    expect(stepsOf(pointer)).toEqual(steps)
    expect(pointerTo(steps)).toBe(pointer)
  })

  it.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~', '/~~1', ' /a'])('is not %j', (text) => {
    expect(stepsOf(text)).toBeNull()
  })

  it('uses the index of an item as a step', () => {
    expect(pointerTo(['rows', 7])).toBe('/rows/7')
  })
})
