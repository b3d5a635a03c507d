import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isApiKey, newApiKey } from './api-key-format.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('an API key', () => {
  it('is snk_, 34 random characters and 6 of checksum', () => {
    expect(newApiKey()).toMatch(/^snk_[0-9A-Za-z]{40}$/)
    // CRC-32 of the text before it, worked out with another program.
    expect(isApiKey(`snk_${'0'.repeat(34)}3BsWU4`)).toBe(true)
    expect(isApiKey(`snk_${'0'.repeat(34)}3BsWUA`)).toBe(false)
  })

  it('is found good, and no other text is', () => {
    for (let n = 0; n < 10_000; n += 1) expect(isApiKey(newApiKey())).toBe(true)
    const invented = fc.string({ unit: 'binary', maxLength: 60 })
    void fc.assert(fc.property(invented, (text) => !isApiKey(text)))
  })

  it('is refused with any one character mistyped, any two swapped, one missing or one too many', () => {
    for (let n = 0; n < 20; n += 1) {
      const key = newApiKey()
      for (let at = 0; at < key.length; at += 1) {
        for (const character of alphabet) {
          const typed = `${key.slice(0, at)}${character}${key.slice(at + 1)}`
          if (typed !== key) expect(isApiKey(typed), typed).toBe(false)
        }
        const swapped = `${key.slice(0, at)}${key[at + 1] ?? ''}${key[at] ?? ''}${key.slice(at + 2)}`
        if (swapped !== key) expect(isApiKey(swapped), swapped).toBe(false)
        expect(isApiKey(`${key.slice(0, at)}${key.slice(at + 1)}`)).toBe(false)
        expect(isApiKey(`${key.slice(0, at)}A${key.slice(at)}`)).toBe(false)
      }
    }
  })

  it('is never invented: of a million random texts of its shape not one passes', () => {
    let passed = 0
    for (let n = 0; n < 1_000_000; n += 1) {
      let text = 'snk_'
      for (let at = 0; at < 40; at += 1) text += alphabet[Math.floor(Math.random() * 62)]
      if (isApiKey(text)) passed += 1
    }
    // One in 56,800,235,584 does.
    expect(passed).toBe(0)
  })

  it('is different every time, and every character is equally likely at every place', () => {
    const keys = 1_000_000
    const seen = new Set<string>()
    const counts = Array.from({ length: 34 }, () => new Map<string, number>())
    for (let n = 0; n < keys; n += 1) {
      const key = newApiKey()
      seen.add(key)
      for (let at = 0; at < 34; at += 1) {
        const character = key[4 + at] ?? ''
        counts[at]?.set(character, (counts[at]?.get(character) ?? 0) + 1)
      }
    }
    expect(seen.size).toBe(keys)
    const expected = keys / 62
    for (const [at, count] of counts.entries()) {
      const chiSquare = [...alphabet].reduce(
        (sum, character) => sum + ((count.get(character) ?? 0) - expected) ** 2 / expected,
        0,
      )
      // 61 degrees of freedom: beyond 140 lies a chance of one in twenty million.
      expect(chiSquare, `place ${at}`).toBeLessThan(140)
    }
  })
})
