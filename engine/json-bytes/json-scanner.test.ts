import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJson } from './json-scanner.js'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it.each([
  '{}',
  ' [ ] ',
  '{"a":[1,-0,1.5e+10,true,false,null,"\\u00e9\\n"]}',
  '"x"',
  '0',
  '[[],{}]',
  '',
  '{',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1 "b":2}',
  '01',
  '1.',
  '.5',
  '+1',
  '-',
  '1e',
  'tru',
  'truex',
  '"a',
  '"\t"',
  '"\\x"',
  '"\\u12g4"',
  '{a:1}',
  "{'a':1}",
  '[1]]',
  '[1}',
  '{"a":1]',
  '[1]x',
  '\u00a0[1]',
  'NaN',
])('%s is JSON just when JSON.parse says so', (text) => {
  expect(isJson(bytesOf(text))).toBe(parses(text))
})

it('it agrees with JSON.parse on all kinds of JSON and on single mutations of it', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', ',', ':', '[', '}', '\\', '0', ' '),
      (json, at, put) => {
        expect(isJson(bytesOf(json))).toBe(true)
        const place = at % (json.length + 1)
        const changed = (json.slice(0, place) + put + json.slice(place + 1)).toWellFormed()
        expect(isJson(bytesOf(changed))).toBe(parses(changed))
      },
    ),
  )
})

it('512 levels are valid, one more is not', () => {
  const nested = (depth: number): Uint8Array => bytesOf('['.repeat(depth) + ']'.repeat(depth))
  expect([isJson(nested(512)), isJson(nested(513)), isJson(bytesOf('['.repeat(1_000_000)))]).toEqual([
    true,
    false,
    false,
  ])
})
