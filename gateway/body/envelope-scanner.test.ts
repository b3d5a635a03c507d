import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutAt, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { type EnvelopeOutcome, scanEnvelope, testRules } from './testing/verdicts.js'

/** Scans a body whole and split in two at every position, and expects the same result each time. */
function scan(text: string | Buffer, rules = testRules): EnvelopeOutcome {
  const bytes = Buffer.from(text)
  const whole = scanEnvelope([bytes], rules)
  const cuts = [
    cutEvery(bytes, 1),
    ...Array.from({ length: Math.min(bytes.length, 200) }, (_, at) => cutAt(bytes, at)),
  ]
  if (bytes.length < 10_000) {
    for (const chunks of cuts) {
      const cut = scanEnvelope(chunks, rules)
      expect(cut.refused?.message).toBe(whole.refused?.message)
      expect(cut.envelope).toEqual(whole.envelope)
      if (whole.refused === null) expect(cut.data.equals(whole.data)).toBe(true)
    }
  }
  return whole
}

function problemsOf(text: string): string[] {
  return (scan(text).envelope?.problems ?? []).map(({ code, pointer }) => `${code} ${pointer}`)
}

describe('the value of data', () => {
  const data = '{ "a" : [1.0, 1e400,"\\u0000\\ud800"],\n"a":{} }'

  it.each([
    ['first', `{"data":${data},"tool":"csv","title":"t"}`],
    ['in the middle', `{"tool":"csv","data":${data},"title":"t"}`],
    ['last, with white space around', ` \n{"tool":"csv","title":"t", "data" :\t${data}\r\n }\n`],
    ['under a key with escapes', `{"tool":"csv","d\\u0061t\\u0061":${data},"title":"t"}`],
  ])('is passed through byte for byte: %s', (_where, body) => {
    const { envelope, data: passed } = scan(body)
    expect(passed.toString()).toBe(data)
    expect({ ...envelope?.fields }).toEqual({ tool: 'csv', title: 't' })
    expect(envelope?.dataSeen).toBe(true)
    expect(envelope?.problems).toEqual([])
  })

  it('may be absent', () => {
    const { envelope, data: passed } = scan('{"tool":"csv"}')
    expect(envelope?.dataSeen).toBe(false)
    expect(passed.length).toBe(0)
  })

  it.each(['[]', '[{}]', '"text"', '12', '-0', 'true', 'null', '""'])(
    'must be an object, not %s',
    (value) => {
      expect(problemsOf(`{"data":${value},"tool":"csv"}`)).toEqual(['not_an_object /data'])
      expect(scan(`{"data":${value}}`).data.length).toBe(0)
    },
  )

  it('is checked to the end even if it is not an object', () => {
    expect(scan('{"data":[1,2,}').refused?.code).toBe('malformed_json')
    expect(scan('{"data":12x}').refused?.code).toBe('malformed_json')
  })

  it('is an ordinary field in operations without data', () => {
    const rules = { fields: new Set(['tool']), data: null }
    const { envelope } = scan('{"data":{"a":1},"tool":"x"}', rules)
    expect(envelope?.problems.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown_field', '/data'],
    ])
  })

  it('keeps every spelling of a number', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,6})?$/)
    const random = seededRandom(1)
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 8 }), (numbers) => {
        const text = `{"n":[${numbers.join(',')}],"last":${numbers[0]}}`
        const body = Buffer.from(`{"data":${text},"tool":"csv"}`)
        const { envelope, data: passed } = scanEnvelope(cutAnywhere(body, random))
        return passed.toString() === text && envelope?.problems.length === 0
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('the fields besides data', () => {
  it('are parsed as they are', () => {
    const fields = {
      tool: 'é€😀"\\\n',
      title: '',
      tags: ['a', '', 'b'],
      metadata: { a: { b: [null, true, 1.5e3] } },
    }
    expect({ ...scan(JSON.stringify(fields, null, 1)).envelope?.fields }).toEqual(fields)
  })

  it('are reported once each when unknown', () => {
    expect(problemsOf('{"expiresin":60,"a/b~c":1,"":{},"expiresin":[]}')).toEqual([
      'unknown_field /expiresin',
      'unknown_field /a~1b~0c',
      'unknown_field /',
    ])
  })

  it('are reported when duplicated, in any spelling, and the first one counts', () => {
    const body = '{"tool":"a","t\\u006fol":"b","data":{"x":1},"data":{"x":2},"title":"t"}'
    expect(problemsOf(body)).toEqual(['duplicate_field /tool', 'duplicate_field /data'])
    expect(scan(body).envelope?.fields.tool).toBe('a')
    expect(scan(body).data.toString()).toBe('{"x":1}')
  })

  it('list at most a hundred problems', () => {
    const body = `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`).join(',')}}`
    expect(scan(body).envelope?.problems).toHaveLength(100)
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'never reach a prototype by the name of %s',
    (name) => {
      const body = `{"${name}":{"admin":true},"metadata":{"${name}":{"admin":true}},"data":{"${name}":{"admin":true}}}`
      const { envelope, data } = scan(body)
      expect(problemsOf(body)).toEqual([`unknown_field /${name}`])
      expect(Object.getPrototypeOf(envelope?.fields)).toBe(null)
      expect(Object.keys(envelope?.fields ?? {})).toEqual(['metadata'])
      expect(data.toString()).toBe(`{"${name}":{"admin":true}}`)
      expect(({} as { admin?: boolean }).admin).toBeUndefined()
    },
  )
})

describe('a body that is not a JSON object', () => {
  it.each([
    '',
    ' \n ',
    '[]',
    '[{}]',
    '"a"',
    '1',
    'null',
    'true',
    '{',
    '{}{}',
    '{} x',
    '{}}',
    '\ufeff{}',
    '{"a"}',
    '{"tool":}',
  ])('is malformed: %j', (body) => {
    const { refused } = scan(body)
    expect([refused?.kind, refused?.code]).toEqual(['invalid', 'malformed_json'])
    expect(refused?.message).toMatch(/offset|empty/)
  })

  it('is malformed whatever problems its fields have', () => {
    expect(scan('{"unknown":1,"tool":"a","tool":"b"').refused?.code).toBe('malformed_json')
  })

  it('is rejected at the offset of the invalid byte', () => {
    expect(scan('{"tool":"a","title":01}').refused?.details.offset).toBe(21)
    expect(scan('{"tool":"a"').refused?.details.offset).toBe(11)
    expect(scan('  [').refused?.details.offset).toBe(2)
  })
})

describe('nesting', () => {
  function levels(shape: 'arrays' | 'objects' | 'mixed', depth: number): string {
    const pair = { arrays: ['[', ']'], objects: ['{"k":', '}'], mixed: ['[{"k":', '}]'] }[shape]
    const inner = shape === 'mixed' ? (depth - 1) / 2 : depth - 1
    return `{"k":${pair[0]?.repeat(Math.ceil(inner))}0${pair[1]?.repeat(Math.ceil(inner))}}`
  }

  for (const shape of ['arrays', 'objects', 'mixed'] as const) {
    it.each(shape === 'mixed' ? [1, 101, 511] : [1, 100, 512])(`of ${shape} %i deep passes`, (depth) => {
      const data = levels(shape, depth)
      expect(scanEnvelope([Buffer.from(`{"data":${data}}`)]).data.toString()).toBe(data)
    })

    it.each([513, 5_001, 100_001, 1_000_001])(`of ${shape} %i deep is rejected`, (depth) => {
      const rules = { ...testRules, data: { bytesMax: 52_428_800, plan: 'pro', noun: 'share' } as const }
      const { refused } = scanEnvelope(
        cutEvery(Buffer.from(`{"data":${levels(shape, depth)}}`), 65_536),
        rules,
      )
      expect(refused?.code).toBe('malformed_json')
      expect(refused?.message).toContain('deeper than 512')
      expect(refused?.details.errors).toMatchObject([{ pointer: '/data', code: 'too_deep' }])
    })
  }

  it('is counted per field, and the error names it', () => {
    const { refused } = scan(`{"metadata":${'['.repeat(513)}`)
    expect(refused?.details.errors).toMatchObject([{ pointer: '/metadata', code: 'too_deep' }])
    expect(scanEnvelope([Buffer.from(`{"metadata":${'['.repeat(512)}${']'.repeat(512)}}`)]).refused).toBe(
      null,
    )
  })
})
