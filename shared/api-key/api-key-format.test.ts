import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { characterSpread, lettersAndDigits } from '#libs/testing/character-spread.js'
import { isApiKey, newApiKey } from './api-key-format.js'

describe('an API key', () => {
  it('is snk_, 34 random characters and 6 of checksum', () => {
    expect(newApiKey()).toMatch(/^snk_[0-9A-Za-z]{40}$/)
    // CRC-32 of the text before it, worked out with another program.
    expect(isApiKey(`snk_${'0'.repeat(34)}3BsWU4`)).toBe(true)
    expect(isApiKey(`snk_${'0'.repeat(34)}3BsWUA`)).toBe(false)
  })

  it('is valid only in exactly this form', () => {
    const keys = Array.from({ length: 10_000 }, newApiKey)
    expect(keys.filter((key) => !isApiKey(key))).toEqual([])
    const invented = fc.string({ unit: 'binary', maxLength: 60 })
    void fc.assert(fc.property(invented, (text) => !isApiKey(text)))
  })

  it('is rejected with one mistyped character, two swapped, one missing or one too many', () => {
    const mistaken: string[] = []
    for (let n = 0; n < 20; n += 1) {
      const key = newApiKey()
      for (let at = 0; at < key.length; at += 1) {
        const [before, after] = [key.slice(0, at), key.slice(at + 1)]
        const mistyped = [...lettersAndDigits].map((character) => `${before}${character}${after}`)
        const swapped = `${before}${key[at + 1] ?? ''}${key[at] ?? ''}${key.slice(at + 2)}`
        const typed = [...mistyped, swapped, `${before}${after}`, `${before}A${key.slice(at)}`]
        mistaken.push(...typed.filter((text) => text !== key))
      }
    }
    expect(mistaken.length).toBeGreaterThan(50_000)
    expect(mistaken.filter(isApiKey)).toEqual([])
  })

  it('is never found by chance: not one of 200,000 random texts is valid', () => {
    let passed = 0
    for (let n = 0; n < 200_000; n += 1) {
      let text = 'snk_'
      for (let at = 0; at < 40; at += 1) text += lettersAndDigits[Math.floor(Math.random() * 62)]
      if (isApiKey(text)) passed += 1
    }
    // One in 56,800,235,584 does.
    expect(passed).toBe(0)
  })

  it('is different every time, and every character is equally likely at every position', () => {
    const keys = 100_000
    const { different, chiSquares } = characterSpread(keys, () => newApiKey().slice(4, 38))
    expect(different).toBe(keys)
    expect(chiSquares).toHaveLength(34)
    // 61 degrees of freedom: beyond 140 lies a chance of one in twenty million.
    expect(Math.max(...chiSquares)).toBeLessThan(140)
  })
})
