import { expect, it } from 'vitest'
import { readStructure } from '../json/structure.js'
import { listParts, partName, partPointers } from './list-parts.js'

function parts(
  data: unknown,
  tool = 'tool',
): { readonly names: readonly (string | null)[]; readonly first: string | null } {
  const json = typeof data === 'string' ? data : JSON.stringify(data)
  const list = listParts(readStructure(new TextEncoder().encode(json)), tool)
  const names = list.parts.map(partName)
  return { names, first: names[list.first] ?? null }
}

const text = 'one\ntwo\n'
const whole = { names: [null], first: null }

it('members are parts in the order sent, and the tool’s output opens first', () => {
  expect(parts({ input: text, output: 'x', options: { indent: 2 } })).toEqual({
    names: ['input', 'output', 'options'],
    first: 'output',
  })
  expect(parts({ input: text.repeat(9), result: 'x' }).first).toBe('result')
  expect(parts({ input: text, formatted: 'x' }).first).toBe('formatted')
  expect(parts({ json: text.repeat(9), csv: 'a,b' }, 'json-to-csv').first).toBe('csv')
  expect(parts({ json: text, tsv: 'a' }, 'json2tsv').first).toBe('tsv')
  expect(parts({ notes: text, code: text.repeat(9) }).first).toBe('code')
})

it('a record of fields stays one JSON document', () => {
  expect(parts({ id: 1, name: 'x' })).toEqual(whole)
  expect(parts({ id: 1, name: 'x', tags: ['a'], description: text, ok: true })).toEqual(whole)
  expect(parts({ jsonrpc: '2.0', id: 1, result: { ok: true } })).toEqual(whole)
  expect(parts({ output: [1], other: { a: 1 } })).toEqual(whole)
  expect(
    parts(Object.fromEntries(Array.from({ length: 21 }, (_text, index) => [`file${index}`, text]))),
  ).toEqual(whole)
  expect(parts('{"input":"a","input":"b"}')).toEqual(whole)
  expect(parts({ output: text, ['k'.repeat(201)]: 1 })).toEqual(whole)
  expect(parts('{"output":"x","\\ud800":1}')).toEqual(whole)
  expect(parts([{ output: text }])).toEqual(whole)
  expect(parts('{}')).toEqual(whole)
  expect(parts('"text"')).toEqual(whole)
})

it('a single string is the only part; any other single member belongs to one document', () => {
  expect(parts({ anything: '' })).toEqual({ names: ['anything'], first: 'anything' })
  expect(parts({ output: { a: 1 } })).toEqual(whole)
})

it('two sides are one part that opens first unless there is an output', () => {
  expect(parts({ left: 'a', right: 'b', options: {} })).toEqual({
    names: ['left ↔ right', 'options'],
    first: 'left ↔ right',
  })
  expect(parts({ after: 'x', before: 'y' })).toEqual({ names: ['before ↔ after'], first: 'before ↔ after' })
  expect(parts({ old: { a: text }, new: { a: 1 } }).names).toEqual(['old ↔ new'])
  expect(parts({ a: { b: 1 }, b: { b: 2 } })).toEqual(whole)
  expect(parts({ old: [1], new: 'x' })).toEqual(whole)
  expect(parts({ a: text, b: 'x', result: '3 changes' }).first).toBe('result')
  expect(parts({ a: 'short', b: 'too' })).toEqual(whole)
  expect(parts({ left: 1, right: 2 })).toEqual(whole)
})

it('a pointer leads to each part, and two to a pair', () => {
  const list = listParts(readStructure(new TextEncoder().encode('{"a/b":"x\\ny","left":"","right":""}')), '')
  expect(list.parts.map(partPointers)).toEqual([['/a~1b'], ['/left', '/right']])
})
