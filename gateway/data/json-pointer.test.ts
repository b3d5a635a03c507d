import { describe, expect, it } from 'vitest'
import { parseJsonPointer } from './json-pointer.js'

describe('a JSON Pointer', () => {
  it('is parsed into its steps', () => {
    expect(parseJsonPointer('/a~1b/0')).toEqual(['a/b', '0'])
  })

  it('is rejected if invalid, naming the parameter', () => {
    expect(() => parseJsonPointer('/~2')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: { errors: [expect.objectContaining({ pointer: 'pointer', code: 'invalid_pointer' })] },
      }),
    )
  })
})
