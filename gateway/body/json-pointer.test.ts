import { describe, expect, it } from 'vitest'
import { parseJsonPointer } from './json-pointer.js'

describe('a JSON Pointer', () => {
  it.each([
    ['', []],
    ['/', ['']],
    ['/foo/0', ['foo', '0']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/ ', [' ']],
    ['//', ['', '']],
    ['/é\n"\\', ['é\n"\\']],
  ])('%j is read as RFC 6901 says', (text, tokens) => expect(parseJsonPointer(text)).toEqual(tokens))

  it.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~', '/~~1', ' /a'])('is not %j', (text) => {
    expect(() => parseJsonPointer(text)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: { errors: [expect.objectContaining({ pointer: 'pointer', code: 'invalid_pointer' })] },
      }),
    )
  })
})
