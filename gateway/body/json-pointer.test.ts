import { describe, expect, it } from 'vitest'
import { parseJsonPointer } from './json-pointer.js'

describe('a JSON Pointer', () => {
  it('of a request is read as its steps', () => {
    expect(parseJsonPointer('/a~1b/0')).toEqual(['a/b', '0'])
  })

  it('that is none is refused by the name of its parameter', () => {
    expect(() => parseJsonPointer('/~2')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: { errors: [expect.objectContaining({ pointer: 'pointer', code: 'invalid_pointer' })] },
      }),
    )
  })
})
