import { describe, expect, it } from 'vitest'
import { allocateWithHeadroom, bytesMessage, bytesOnlyField, prependInPlace } from './bytes-field.js'

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

describe('a message with one field of bytes', () => {
  it('is encoded and decoded at any size', () => {
    expect([...bytesMessage(2, Buffer.alloc(300, 1)).subarray(0, 4)]).toEqual([0x12, 0xac, 0x02, 1])
    for (const size of [0, 1, 127, 128, 16_383, 16_384, 262_144, 2_097_151, 2_097_152]) {
      const bytes = Buffer.alloc(size, 'abc')
      expect(bytesOnlyField(2, bytesMessage(2, bytes))?.equals(bytes), `${size}`).toBe(true)
    }
  })

  it('is distinguished from every other message', () => {
    const message = bytesMessage(1, Buffer.from('abc'))
    const others = [
      bytesMessage(2, Buffer.from('abc')),
      message.subarray(0, -1),
      Buffer.concat([message, message]),
      Buffer.alloc(0),
      message.subarray(0, 1),
      Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0xff]),
    ]
    for (const other of others) expect(bytesOnlyField(1, other), other.toString('hex')).toBeNull()
  })
})
