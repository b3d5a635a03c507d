import { describe, expect, it } from 'vitest'
import { createByteBudget } from './byte-budget.js'

const piece = Buffer.alloc(1_000, 'x')

describe('a budget of bytes', () => {
  it('returns what was appended, in one piece', () => {
    const held = createByteBudget({ bytesMax: 100_000, holderBytesMax: 100_000 }).open('a')
    const parts = ['one ', '', 'two ', 'x'.repeat(10_000)]
    for (const part of parts) expect(held.append(Buffer.from(part))).toBe(true)
    expect(held.bytes().toString()).toBe(parts.join(''))
    expect(held.length).toBe(10_008)
  })

  it('rejects more than its bytes, and has room again after a release', () => {
    const budget = createByteBudget({ bytesMax: 8_192, holderBytesMax: 8_192 })
    const [first, second, third] = [budget.open('a'), budget.open('b'), budget.open('c')]
    expect(first.append(piece)).toBe(true)
    expect(second.append(piece)).toBe(true)
    expect(third.append(piece)).toBe(false)
    expect(third.length).toBe(0)
    first.release()
    first.release()
    expect(third.append(piece)).toBe(true)
    expect(budget.open('d').append(piece)).toBe(false)
  })

  it('leaves room for others when one holder takes its maximum', () => {
    const budget = createByteBudget({ bytesMax: 16_384, holderBytesMax: 8_192 })
    const greedy = Array.from({ length: 4 }, () => budget.open('greedy').append(piece))
    expect(greedy).toEqual([true, true, false, false])
    expect(budget.open('other').append(piece)).toBe(true)
  })

  it('counts allocated memory, not sent bytes: one-byte chunks cost no more than whole bodies', () => {
    const held = createByteBudget({ bytesMax: 8_192, holderBytesMax: 8_192 }).open('a')
    let appended = 0
    while (held.append(Buffer.from('x'))) appended += 1
    expect(appended).toBe(8_192)
  })
})
