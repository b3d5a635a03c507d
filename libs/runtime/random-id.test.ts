import { expect, it } from 'vitest'
import { randomBase62 } from './random-id.js'

it('a million ids are all different, and every character is equally likely at every place', () => {
  const length = 22
  const many = 1_000_000
  const seen = new Set<string>()
  const counts = Array.from({ length }, () => new Map<string, number>())
  for (let index = 0; index < many; index += 1) {
    const id = randomBase62(length)
    seen.add(id)
    for (let place = 0; place < length; place += 1) {
      const character = id[place] ?? ''
      const count = counts[place]
      count?.set(character, (count.get(character) ?? 0) + 1)
    }
  }
  expect(seen.size).toBe(many)
  const expected = many / 62
  for (const count of counts) {
    expect(count.size).toBe(62)
    const chiSquare = [...count.values()].reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0)
    // 61 degrees of freedom: beyond 140 lies a chance of one in twenty million.
    expect(chiSquare).toBeLessThan(140)
  }
})

it('an id holds letters and digits alone, so that it reads well in a URL', () => {
  for (let length = 1; length <= 64; length += 1)
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
})
