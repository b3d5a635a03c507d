import { describe, expect, it } from 'vitest'
import { createPageMemory, type RememberedPage } from './page-cache.js'

const page = (text: string): RememberedPage => ({ etag: 'v', text, nextCursor: null })

describe('the memory of pages', () => {
  it('gives back what was kept last, and nothing for what was not', () => {
    const memory = createPageMemory()
    expect(memory.find('a')).toBeNull()
    memory.keep('a', page('one'))
    memory.keep('a', page('two'))
    expect(memory.find('a')).toEqual(page('two'))
    expect(memory.find('b')).toBeNull()
  })

  it('stays within 16 MiB, and forgets what was used longest ago', () => {
    const memory = createPageMemory()
    const text = 'x'.repeat(131_072)
    for (let n = 0; n < 1_000; n += 1) {
      memory.keep(`${n}`, page(text))
      memory.find('0')
    }
    const left = Array.from({ length: 1_000 }, (_, n) => n).filter((n) => memory.find(`${n}`) !== null)
    expect(left.length * text.length).toBeLessThan(16 * 1_048_576)
    expect(left.length).toBeGreaterThan(100)
    expect(left[0]).toBe(0)
    expect(left.slice(1)).toEqual(Array.from({ length: left.length - 1 }, (_, n) => 1_001 - left.length + n))
  })
})
