import { expect, it } from 'vitest'
import { cutAnywhere } from '#libs/testing/cut.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { createJsonScanner } from './json-scanner.js'
import { randomDocument } from './testing/random-document.js'
import { referenceEnvelope } from './testing/reference-envelope.js'
import { acceptedByPlatform, scanDocument, scanEnvelope, testRules } from './testing/verdicts.js'

const cases = 20_000
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff))

/** The scanner's result for a body, or its error code. */
function scanned(bytes: Buffer, random: Random): object {
  const { refused, envelope, data } = scanEnvelope(cutAnywhere(bytes, random))
  if (envelope === null) return { refused: refused?.code }
  const problems = envelope.problems.map(({ code, pointer }) => `${code} ${pointer}`)
  return { problems, fields: envelope.fields, data: data.toString('latin1') }
}

/** The result according to the platform's own parser. */
function expected(bytes: Buffer): object {
  const envelope = referenceEnvelope(bytes, testRules.fields)
  if (envelope === null) return { refused: 'malformed_json' }
  const { problems, fields, data } = envelope
  return { problems, fields, data: data.toString('latin1') }
}

it(`the scanners agree with the platform on ${cases} documents (FUZZ_SEED=${seed})`, {
  timeout: 300_000,
}, () => {
  const random = seededRandom(seed)
  const depthMax = 10_000
  let accepted = 0
  for (let index = 0; index < cases; index++) {
    const bytes = randomDocument(random)
    const shown = (): string =>
      `case ${index} of FUZZ_SEED=${seed}: ${JSON.stringify(bytes.toString('latin1'))}`
    const verdict = scanDocument(cutAnywhere(bytes, random), depthMax)
    if ((verdict === 'complete') !== acceptedByPlatform(bytes)) expect.fail(`${verdict} in ${shown()}`)
    const wanted = expected(bytes)
    const [found, hoped] = [scanned(bytes, random), wanted].map((what) => JSON.stringify(what))
    // `expect` is slower than everything else here, so it only reports failures.
    if (found !== hoped) expect(found, shown()).toBe(hoped)
    if (!('refused' in wanted)) accepted++
  }
  expect(accepted).toBeGreaterThan(cases / 5)
  expect(accepted).toBeLessThan((cases / 5) * 4)
})

it('a reset scanner keeps no state', () => {
  const random = seededRandom(seed)
  const scanner = createJsonScanner(512)
  for (let index = 0; index < 2_000; index++) {
    const bytes = randomDocument(random)
    scanner.reset()
    const stop = scanner.scan(bytes, 0, bytes.length)
    const fresh = createJsonScanner(512)
    expect(fresh.scan(bytes, 0, bytes.length)).toBe(stop)
    expect(fresh.end()).toBe(scanner.end())
  }
})
