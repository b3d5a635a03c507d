import { expect, it } from 'vitest'
import { characterSpread } from '../testing/character-spread.js'
import { randomBase62 } from './random-id.js'

it('ids are all different, and every character is equally likely at every position', () => {
  const many = 100_000
  const { different, chiSquares } = characterSpread(many, () => randomBase62(22))
  expect(different).toBe(many)
  expect(chiSquares).toHaveLength(22)
  // With 61 degrees of freedom, 140 is exceeded by chance once in twenty million times.
  expect(Math.max(...chiSquares)).toBeLessThan(140)
})

it('an id has only letters and digits, for use in URLs', () => {
  for (let length = 1; length <= 64; length += 1)
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})
