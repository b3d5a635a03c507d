import { describe, expect, it } from 'vitest'
import { allocateWithHeadroom, prependInPlace } from './headroom.js'

const head = Buffer.from('<>')

describe('a header before bytes', () => {
  it('is written in place if there is headroom', () => {
    const bytes = allocateWithHeadroom(5).fill('abcde')
    const whole = prependInPlace(head, bytes)
    expect([whole.toString(), whole.buffer === bytes.buffer]).toEqual(['<>abcde', true])
    expect(prependInPlace(head, bytes.subarray(0, 2)).toString()).toBe('<>ab')
    expect(bytes.toString()).toBe('abcde')
  })

  it('is written into a copy otherwise, so that nothing else is overwritten', () => {
    const roomy = allocateWithHeadroom(20).fill('0123456789abcdefghij')
    const memory = Buffer.from('0123456789abcdefghij')
    for (const bytes of [roomy.subarray(8), roomy.subarray(1), memory.subarray(8), Buffer.from('89')])
      expect(prependInPlace(head, bytes).toString()).toBe(`<>${bytes.toString()}`)
    expect(prependInPlace(Buffer.alloc(9, '<'), roomy).toString()).toBe(`<<<<<<<<<${roomy.toString()}`)
    expect(roomy.toString()).toBe('0123456789abcdefghij')
    expect(memory.toString()).toBe('0123456789abcdefghij')
  })
})
