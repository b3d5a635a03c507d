import { describe, expect, it } from 'vitest'
import { cutAnywhere } from '#libs/testing/cut.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import type { JsonPointer } from './json-pointer.js'
import { createPointerLocators, type LocatedValue, type PointerLocator } from './pointer-locator.js'
import { createReferenceLocator } from './testing/reference-locator.js'

const createPointerLocator = createPointerLocators()
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff))

const keys = [
  '"a"',
  '"b"',
  '"\\u0061"',
  '"0"',
  '"1"',
  '""',
  '"é"',
  '"\\u00e9"',
  '"😀"',
  '"\\ud83d\\ude00"',
  '"a\\"\\\\"',
]
const steps = ['a', 'b', '0', '1', '2', '', 'é', '😀', 'a"\\', 'long'.repeat(20), '17', '99999999999']
const scalars = ['0', '-1.5e3', 'true', 'null', '""', '"x"', '"]}\\""', '"\\\\"', '[]', '{}', '[[],[{}]]']
const spaces = ['', '', ' ', '\n\t']

function key(random: Random): string {
  if (random.below(6) > 0) return random.pick(keys)
  return `"${'long'.repeat(random.below(30))}${random.pick(['', '\\n', '漢'])}"`
}

function value(random: Random, depth: number): string {
  const space = random.pick(spaces)
  const kind = random.below(depth > 4 ? 3 : 7)
  if (kind < 2) return space + random.pick(scalars) + space
  if (kind === 2) return `"${'x'.repeat(random.below(60))}${random.pick(['', '\\"', '{', '漢'])}"`
  if (kind === 3) return `[${Array.from({ length: random.below(60) }, () => random.below(200)).join(',')}]`
  const items = Array.from({ length: random.below(5) }, () => value(random, depth + 1))
  if (kind === 4) return `[${items.join(`,${space}`)}]`
  return `{${items.map((item) => `${space}${key(random)}${space}:${item}`).join(',')}}`
}

function located(locator: PointerLocator, chunks: readonly Uint8Array[]): LocatedValue | null {
  for (const chunk of chunks) locator.push(chunk)
  return locator.finish()
}

const randomPointer = (random: Random): JsonPointer =>
  Array.from({ length: random.below(5) }, () => random.pick(steps))

describe(`the locator and its reference (FUZZ_SEED=${seed})`, () => {
  it('find the same value, and the locator keeps its bytes', () => {
    const random = seededRandom(seed)
    let found = 0
    for (let index = 0; index < 20_000; index++) {
      const bytes = Buffer.from(value(random, 0))
      const chunks = cutAnywhere(bytes, random)
      const pointer = randomPointer(random)
      const locator = createPointerLocator(pointer, 64)
      const place = located(locator, chunks)
      const hoped = located(createReferenceLocator(pointer), chunks)
      const about = `case ${index}: ${JSON.stringify(pointer)} in ${bytes}`
      expect(place, about).toEqual(hoped)
      if (place === null) continue
      found++
      const kept = locator.bytes()
      const whole = bytes.subarray(place.offset, place.offset + place.length)
      if (place.length > 64) expect(kept, about).toBe(null)
      else expect(kept && Buffer.compare(kept, whole), about).toBe(0)
    }
    expect(found).toBeGreaterThan(1_000)
  })

  it('agree for interleaved locators', () => {
    const random = seededRandom(seed)
    for (let round = 0; round < 500; round++) {
      const cases = Array.from({ length: 4 }, () => {
        const pointer = randomPointer(random)
        const chunks = cutAnywhere(Buffer.from(value(random, 0)), random)
        return { pointer, chunks, locator: createPointerLocator(pointer) }
      })
      const limit = Math.max(...cases.map(({ chunks }) => chunks.length))
      for (let turn = 0; turn < limit; turn++)
        for (const { locator, chunks } of cases) locator.push(chunks[turn] ?? new Uint8Array())
      for (const { pointer, chunks, locator } of cases)
        expect(locator.finish()).toEqual(located(createReferenceLocator(pointer), chunks))
    }
  })

  it('agree across chunk boundaries', () => {
    for (const odd of ['"k":[1]', '"\\u006b":"v"', '"x":{"k":2}', '"k":{},"k":"\\""', '"漢":0']) {
      for (let at = 65_505; at < 65_545; at++) {
        const bytes = Buffer.from(`{"pad":"${'x'.repeat(at)}",${odd},"z":[${'[],'.repeat(50)}0]}`)
        for (const pointer of [['k'], ['x', 'k'], ['漢'], ['z', '50'], ['z', '17']])
          expect(located(createPointerLocator(pointer), [bytes])).toEqual(
            located(createReferenceLocator(pointer), [bytes]),
          )
      }
    }
  })
})
