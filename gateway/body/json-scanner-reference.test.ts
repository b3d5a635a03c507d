import { describe, expect, it } from 'vitest'
import { cutAnywhere } from '#libs/testing/cut.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { createJsonScanner, type JsonScanner } from './json-scanner.js'
import { randomDocument } from './testing/random-document.js'
import { createReferenceScanner } from './testing/reference-scanner.js'

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff))
const depthMax = 6

/** Yields where a scanner stops in each chunk and its status there, until it is done, and its final status. */
function* steps(scanner: JsonScanner, chunks: readonly Uint8Array[]): Generator<string, void, undefined> {
  for (const chunk of chunks) {
    yield `${scanner.scan(chunk, 0, chunk.length)} ${scanner.status}`
    if (scanner.status !== 'scanning') break
  }
  yield scanner.end()
}

const stepsText = (scanner: JsonScanner, chunks: readonly Uint8Array[]): string =>
  [...steps(scanner, chunks)].join(', ')

/** A JSON string with at most one unusual character, at a random position. */
function longString(random: Random): string {
  const odd = random.pick(['', '', '"', '\\n', '\\', '\t', 'é', '漢字', '😀', '\u007f'])
  return `"${'x'.repeat(random.below(70))}${odd}${'y'.repeat(random.below(70))}"`
}

function longDocument(random: Random): Buffer {
  const member = (): string =>
    `${longString(random)}:${random.pick([longString(random), '[1.5e3,{}]', 'null'])}`
  const text = `{${Array.from({ length: random.below(9) }, member).join(random.pick([',', ', ']))}}`
  return Buffer.from(text)
}

describe(`the scanner and its reference (FUZZ_SEED=${seed})`, () => {
  it('stop at the same byte of each chunk, with the same result', () => {
    const random = seededRandom(seed)
    for (let index = 0; index < 40_000; index++) {
      const bytes = index % 2 === 0 ? randomDocument(random) : longDocument(random)
      const chunks = cutAnywhere(bytes, random)
      const [found, hoped] = [createJsonScanner(depthMax), createReferenceScanner(depthMax)].map((scanner) =>
        stepsText(scanner, chunks),
      )
      if (found !== hoped)
        expect(found, `case ${index}: ${JSON.stringify(bytes.toString('latin1'))}`).toBe(hoped)
    }
  })

  it('agree for interleaved scanners', () => {
    const random = seededRandom(seed)
    for (let round = 0; round < 1_000; round++) {
      const documents = Array.from({ length: 4 }, () => cutAnywhere(longDocument(random), random))
      const running = documents.map((chunks) => steps(createJsonScanner(depthMax), chunks))
      const found: string[][] = documents.map(() => [])
      const waiting = new Set(running.keys())
      while (waiting.size > 0) {
        const which = random.pick([...waiting])
        const step = running[which]?.next()
        if (step === undefined || step.done === true) waiting.delete(which)
        else found[which]?.push(step.value)
      }
      for (const [index, chunks] of documents.entries())
        expect(found[index]?.join(', ')).toBe(stepsText(createReferenceScanner(depthMax), chunks))
    }
  })
  it('agree for chunks larger than one piece', () => {
    const around = [65_519, 65_520, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072]
    for (const odd of ['"', '\n', '\\', '漢', '\u00ff', '"]']) {
      for (const at of around) {
        const bytes = Buffer.from(`["${'x'.repeat(at - 2)}${odd}${'y'.repeat(200)}"]`)
        const chunks = [bytes, Buffer.from(' ')]
        expect([odd, at, stepsText(createJsonScanner(depthMax), chunks)]).toEqual([
          odd,
          at,
          stepsText(createReferenceScanner(depthMax), chunks),
        ])
      }
    }
  })
})
