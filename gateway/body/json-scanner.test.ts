import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { createJsonScanner } from './json-scanner.js'
import { invalidSequences } from './testing/invalid-utf8.js'
import { acceptedByPlatform, scanDocument } from './testing/verdicts.js'

function verdict(text: string | Buffer, depthMax?: number): string {
  const bytes = Buffer.from(text)
  const whole = scanDocument([bytes], depthMax)
  if (bytes.length < 100_000) expect(scanDocument(cutEvery(bytes, 1), depthMax)).toBe(whole)
  return whole
}

describe('a number at the end of the input', () => {
  it.each(['0', '-0', '12', '1.5', '1e5', '1E+5', '-1.25e-10', '1e400', '12345678901234567890'])(
    '%s is complete',
    (text) => {
      expect(verdict(text)).toBe('complete')
      expect(verdict(`${text} \n`)).toBe('complete')
    },
  )

  it.each([
    '01',
    '-01',
    '1.',
    '-',
    '1e',
    '1e+',
    '.5',
    '+1',
    '1.e5',
    '0x1',
    '1a',
    '--1',
    '1-',
    '1 2',
    '-a',
    'Infinity',
  ])('%s is malformed', (text) => {
    expect(acceptedByPlatform(Buffer.from(text))).toBe(false)
    expect(verdict(text)).toBe('malformed')
    expect(verdict(`[${text}]`)).toBe('malformed')
    expect(verdict(`{"a":${text}}`)).toBe('malformed')
  })
})

describe('documents', () => {
  it.each(['', ' ', '"', '[', '{', '{"a"', '{"a":', '{"a":1', '[1,', 'tru', 'nul', '"\\', '"\\u00'])(
    'that end too early are malformed: %j',
    (text) => expect(verdict(text)).toBe('malformed'),
  )

  it.each([
    '[1}',
    '{"a":1]',
    '[1,]',
    '{"a":1,}',
    '{,}',
    '[,1]',
    '{1:2}',
    "{'a':1}",
    '[1 2]',
    '{"a" 1}',
    '1,',
    '1]',
    '""}',
  ])('with misplaced punctuation are malformed: %s', (text) => expect(verdict(text)).toBe('malformed'))

  it('of one byte, of two bytes and of a string of one byte get the platform’s verdict', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte)
    for (const byte of bytes) {
      for (const text of [[byte], [0x22, byte, 0x22], [0x22, 0x5c, byte, 0x22], [0x5b, byte, 0x5d]]) {
        const document = Buffer.from(text)
        expect([text, verdict(document) === 'complete']).toEqual([text, acceptedByPlatform(document)])
      }
    }
    for (const first of bytes.slice(0, 128)) {
      for (const second of bytes) {
        const document = Buffer.from([first, second])
        if ((scanDocument([document]) === 'complete') !== acceptedByPlatform(document))
          expect.fail(`${first} ${second}`)
      }
    }
  })

  it('may contain escaped NULs and lone surrogates, and no raw control characters', () => {
    for (const text of ['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uDBFF\\uDFFF"', '"\x7f"']) {
      expect(verdict(text)).toBe('complete')
    }
    for (const text of ['"\n"', '"\t"', '"\0"', '"\\x41"', '"\\u12g4"', '"\\U0041"']) {
      expect(verdict(text)).toBe('malformed')
    }
  })

  it('are rejected at the offset of the invalid byte', () => {
    const scanner = createJsonScanner(10)
    expect(scanner.scan(Buffer.from('[1,2,x]'), 0, 7)).toBe(5)
    expect(scanner.status).toBe('malformed')
    expect(scanner.scan(Buffer.from('3]'), 0, 2)).toBe(0)
  })
})

describe('invalid UTF-8', () => {
  it('is detected in more than 150 forms', () => expect(invalidSequences.length).toBeGreaterThanOrEqual(150))

  it.each(invalidSequences.map(({ what, bytes }) => [what, bytes] as const))(
    'is refused: %s',
    (_what, bytes) => {
      const around = [
        ['"', '"'],
        ['"abc', 'def"'],
        ['{"', '":1}'],
        ['["é€😀', '€"]'],
        ['', ''],
        ['[', ']'],
      ] as const
      for (const [before, after] of around) {
        const document = Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
        expect(acceptedByPlatform(document)).toBe(false)
        expect(verdict(document)).toBe('malformed')
      }
    },
  )

  it('is not detected in any valid character', () => {
    let text = ''
    for (let point = 0x20; point <= 0x10ffff; point += point < 0x3000 ? 1 : 61) {
      if ((point < 0xd800 || point > 0xdfff) && point !== 0x22 && point !== 0x5c)
        text += String.fromCodePoint(point)
    }
    text += String.fromCodePoint(0xd7ff, 0xe000, 0xfffd, 0xfeff, 0xffff, 0x10000, 0x10ffff)
    expect(verdict(`"${text}"`)).toBe('complete')
    expect(verdict(`{"${text}":1}`)).toBe('complete')
  })
})

/** A document of `depth` nested containers, the innermost one empty. */
function nested(shape: 'arrays' | 'objects' | 'mixed', depth: number): string {
  const isArray = (level: number): boolean => shape === 'arrays' || (shape === 'mixed' && level % 2 === 0)
  const levels = Array.from({ length: depth }, (_, level) => level)
  const opening = levels.map((level) => {
    if (level === depth - 1) return isArray(level) ? '[' : '{'
    return isArray(level) ? '[' : '{"k":'
  })
  return (
    opening.join('') +
    levels
      .map((level) => (isArray(level) ? ']' : '}'))
      .reverse()
      .join('')
  )
}

describe('nesting', () => {
  const shapes = ['arrays', 'objects', 'mixed'] as const
  for (const shape of shapes) {
    it.each([1, 100, 511, 512])(`of ${shape} %i deep is accepted`, (depth) => {
      expect(verdict(nested(shape, depth))).toBe('complete')
    })

    it.each([513, 5_000, 100_000, 1_000_000])(
      `of ${shape} %i deep is rejected at the byte that opens level 513`,
      (depth) => {
        const text = nested(shape, depth)
        const bytes = Buffer.from(text)
        const scanner = createJsonScanner(512)
        expect(scanner.scan(bytes, 0, bytes.length)).toBe(
          [...text.slice(0, 5_000).matchAll(/[[{]/g)][512]?.index,
        )
        expect(scanner.status).toBe('too_deep')
      },
    )
  }

  it('counts open levels, not containers', () => {
    expect(verdict(`[${Array.from({ length: 10_000 }, () => '[[]]').join(',')}]`, 3)).toBe('complete')
    expect(verdict(`[${Array.from({ length: 10_000 }, () => '[[]]').join(',')}]`, 2)).toBe('too_deep')
  })
})

describe('generated documents', () => {
  it('are accepted however they are written and chunked', () => {
    const document = fc.oneof(
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
    )
    fc.assert(
      fc.property(document, fc.integer(), (text, seed) => {
        const bytes = Buffer.from(text)
        return scanDocument(cutAnywhere(bytes, seededRandom(seed))) === 'complete'
      }),
      { numRuns: 2_000 },
    )
  })
})
