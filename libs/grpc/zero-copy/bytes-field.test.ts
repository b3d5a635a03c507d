import { describe, expect, it } from 'vitest'
import { bytesMessage, bytesOnlyField } from './bytes-field.js'

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
