import { expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { drawSeed } from '../byte-hash.js'
import { canonicalNumber, hashOfScalar } from './canonical-scalar.js'

it('numbers of one value have one hash, however they are spelled', () => {
  const [random, seed] = [seededRandom(3), drawSeed()]
  const hash = (text: string): number => {
    const bytes = new TextEncoder().encode(text)
    return hashOfScalar(seed, bytes, 0, bytes.length, true)
  }
  const digits = (most: number): string =>
    Array.from({ length: random.below(most) }, () => random.pick([...'000123'])).join('')
  for (let count = 0; count < 5_000; count += 1) {
    const whole = `${random.pick([...'12'])}${digits(6)}`
    const text = `${random.pick(['', '-'])}${random.pick(['0', whole])}${random.pick(['', '.0', `.${digits(6)}5`, `.${digits(6)}0`])}`
    expect(hash(text), text).toBe(hash(`${text}e0`))
    expect(hash(text), text).toBe(hash(canonicalNumber(text)))
  }
})
