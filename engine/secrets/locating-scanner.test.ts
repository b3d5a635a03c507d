import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { OffsetLocator } from './locate-offsets.js'
import { createLocatingScanner, type LocatedSecret } from './locating-scanner.js'
import { createSecretScanner, lagBytesMax } from './secret-scanner.js'
import { plantedSecrets } from './testing/planted-secrets.js'

const nowMs = Date.parse('2030-01-01T00:00:00Z')

function chunksOf(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_none, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
}

/** What is found in one pass, and then located in another. */
function foundInTwoPasses(bytes: Uint8Array): readonly LocatedSecret[] {
  const scanner = createSecretScanner({ nowMs })
  scanner.push(bytes)
  const found = scanner.finish()
  const locator = new OffsetLocator(found.map(({ start }) => start))
  locator.push(bytes)
  return found.map((one, index) => ({ ...one, pointer: locator.pointers()[index] ?? 'none' }))
}

const secret: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...plantedSecrets), fc.infiniteStream(fc.nat(1_000_000)))
  .map(([{ make, before }, numbers]) => `${before}${make(() => Number(numbers.next().value) / 1_000_001)}`)

/** As long as what a search holds back, or short. */
const filler = fc.nat({ max: 2 * lagBytesMax }).map((length) => '- '.repeat(length))

const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    secret,
    filler,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b/c', '"é"', 'd\\'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value

it('each secret in a document that passes once gets the place that a second pass would find', () => {
  const sizes = [1, 7, 100, lagBytesMax, 10_000, 65_536]
  let count = 0
  void fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), secret, (values, last) => {
      const bytes = Buffer.from(JSON.stringify({ values, last }))
      const expected = foundInTwoPasses(bytes)
      count += expected.length
      for (const size of sizes) {
        const scanner = createLocatingScanner({ nowMs })
        for (const chunk of chunksOf(bytes, size)) scanner.push(chunk)
        expect(scanner.finish(), `in chunks of ${size}`).toEqual(expected)
      }
    }),
    { numRuns: 60 },
  )
  expect(count).toBeGreaterThan(60)
})

it('keeps nothing of a chunk, whose memory may be used again', () => {
  const [{ make, before }] = plantedSecrets as readonly [(typeof plantedSecrets)[number]]
  const bytes = Buffer.from(JSON.stringify({ a: ['x'.repeat(100), `${before}${make(() => 0.5)}`] }))
  const scanner = createLocatingScanner({ nowMs })
  const shared = Buffer.alloc(10)
  for (const chunk of chunksOf(bytes, shared.length)) {
    shared.set(chunk)
    scanner.push(shared.subarray(0, chunk.length))
    shared.fill(0)
  }
  expect(scanner.finish()).toMatchObject([{ pointer: '/a/1' }])
})
