import { expect, it } from 'vitest'
import { createJsonScanner } from './json-scanner.js'
import { cutAnywhere } from './testing/cut.js'
import { type Random, seededRandom } from './testing/random.js'
import { referenceEnvelope } from './testing/reference-envelope.js'
import { acceptedByPlatform, scanDocument, scanEnvelope, testRules } from './testing/verdicts.js'

const cases = 100_000
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 0x7fffffff))

const scalars = [
  '0',
  '-0',
  '1',
  '-12.5e+3',
  '1E400',
  '1.0',
  'true',
  'false',
  'null',
  '""',
  '"a"',
  '"é€😀"',
  '"\\u0000"',
]
const strings = [
  '"\\ud83d\\ude00"',
  '"\\udead"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"}],:{["',
  '"\x7f"',
  '"data"',
  '"\u2028"',
]
const keys = [
  '"tool"',
  '"title"',
  '"tags"',
  '"metadata"',
  '"data"',
  '"data"',
  '"d\\u0061ta"',
  '"t\\u006fol"',
  '"x"',
  '""',
]
const oddKeys = ['"__proto__"', '"constructor"', '"a/b"', '"~"', '"\\ud800"', '"é"', '"DATA"']
const spaces = ['', '', '', ' ', '\n', '\t\r\n ']
/** What mutations put in: bytes that matter to the grammar, and pieces of invalid UTF-8. */
const pieces = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-',
  '.',
  'e',
  '+',
  't',
  'nul',
  ' ',
  '\0',
  '\u001f',
  '\\u',
  '\ufeff',
]
const invalid = [
  [0x80],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xff],
  [0xe2, 0x82],
  [0xc3],
]

function value(random: Random, depth: number): string {
  const kind = random.below(depth > 4 ? 2 : 5)
  const around = (text: string): string => random.pick(spaces) + text + random.pick(spaces)
  if (kind < 2) return around(random.pick(kind === 0 ? scalars : strings))
  const count = random.below(4)
  if (kind === 2)
    return around(`[${Array.from({ length: count }, () => value(random, depth + 1)).join(',')}]`)
  return around(object(random, depth + 1, count))
}

function object(random: Random, depth: number, count: number): string {
  const members = Array.from({ length: count }, () => {
    const key = random.pick(random.below(8) === 0 ? oddKeys : keys)
    const of =
      key === '"data"' && random.below(4) > 0
        ? object(random, depth + 1, random.below(4))
        : value(random, depth)
    return `${random.pick(spaces)}${key}${random.pick(spaces)}:${of}`
  })
  return `{${members.join(',')}${count === 0 ? random.pick(spaces) : ''}}`
}

function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([head, tail.subarray(1 + random.below(3))])
    case 1:
      return Buffer.concat([head, Buffer.from(random.pick(pieces)), tail])
    case 2:
      return Buffer.concat([head, Buffer.from(random.pick(pieces)), tail.subarray(1)])
    case 3:
      return Buffer.concat([head, Buffer.from(random.pick(invalid)), tail.subarray(random.below(2))])
    case 4:
      return head
    default:
      return Buffer.concat([head, bytes.subarray(random.below(bytes.length + 1)), tail])
  }
}

function document(random: Random): Buffer {
  const kind = random.below(20)
  if (kind === 0) return Buffer.from(Array.from({ length: random.below(12) }, () => random.below(256)))
  const text =
    kind < 3
      ? value(random, 0)
      : random.pick(spaces) + object(random, 0, random.below(6)) + random.pick(spaces)
  let bytes: Buffer = Buffer.from(text)
  for (let count = kind < 12 ? random.below(4) : 0; count > 0; count--) bytes = mutate(bytes, random)
  return bytes
}

/** What the scanner makes of a body, or what it refuses it with. */
function scanned(bytes: Buffer, random: Random): object {
  const { refused, envelope, data } = scanEnvelope(cutAnywhere(bytes, random))
  if (envelope === null) return { refused: refused?.code }
  const problems = envelope.problems.map(({ code, pointer }) => `${code} ${pointer}`)
  return { problems, fields: envelope.fields, data: data.toString('latin1') }
}

/** What is to be made of it, by the platform's own parser. */
function expected(bytes: Buffer): object {
  const envelope = referenceEnvelope(bytes, testRules.fields)
  if (envelope === null) return { refused: 'malformed_json' }
  const { problems, fields, data } = envelope
  return { problems, fields, data: data.toString('latin1') }
}

it(`the scanners agree with the platform on ${cases} documents (FUZZ_SEED=${seed})`, {
  timeout: 120_000,
}, () => {
  const random = seededRandom(seed)
  const roomy = 10_000
  let accepted = 0
  for (let index = 0; index < cases; index++) {
    const bytes = document(random)
    const shown = (): string =>
      `case ${index} of FUZZ_SEED=${seed}: ${JSON.stringify(bytes.toString('latin1'))}`
    const verdict = scanDocument(cutAnywhere(bytes, random), roomy)
    if ((verdict === 'complete') !== acceptedByPlatform(bytes)) expect.fail(`${verdict} in ${shown()}`)
    const wanted = expected(bytes)
    const [found, hoped] = [scanned(bytes, random), wanted].map((what) => JSON.stringify(what))
    // A matcher takes longer than all else here, so that it is asked for its words alone.
    if (found !== hoped) expect(found, shown()).toBe(hoped)
    if (!('refused' in wanted)) accepted++
  }
  expect(accepted).toBeGreaterThan(cases / 5)
  expect(accepted).toBeLessThan((cases / 5) * 4)
})

it('a scanner that was reset forgets what came before', () => {
  const random = seededRandom(seed)
  const scanner = createJsonScanner(512)
  for (let index = 0; index < 2_000; index++) {
    const bytes = document(random)
    scanner.reset()
    const stop = scanner.scan(bytes, 0, bytes.length)
    const fresh = createJsonScanner(512)
    expect(fresh.scan(bytes, 0, bytes.length)).toBe(stop)
    expect(fresh.end()).toBe(scanner.end())
  }
})
