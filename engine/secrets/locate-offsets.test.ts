import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { pointerTo } from '../json-pointer.js'
import { OffsetLocator, safePointer } from './locate-offsets.js'

const nowMs = Date.parse('2030-01-01T00:00:00Z')

/** The pointers of all strings that are values, in the order in which they are written. */
function stringsIn(value: unknown, steps: readonly (string | number)[] = []): readonly string[] {
  if (typeof value === 'string') return [pointerTo(steps)]
  if (Array.isArray(value)) return value.flatMap((item, index) => stringsIn(item, [...steps, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => stringsIn(item, [...steps, key]))
}

const mark = 'MARK'
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(mark, `${mark}\\`, `${mark}"`, `${mark}\\"{,`),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: fc.constantFrom(...'ab/~"\\é,:{}[]1') }).map((key) => `k${key}`),
      tie('value'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value

it('each place in a document gets the pointer of its value, wherever chunks end', () => {
  void fc.assert(
    fc.property(document, fc.boolean(), fc.integer({ min: 1, max: 50 }), (value, isIndented, size) => {
      const bytes = Buffer.from(JSON.stringify({ all: value }, null, isIndented ? 2 : 0))
      const offsets: number[] = []
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) offsets.push(at)
      const locator = new OffsetLocator(offsets)
      for (let at = 0; at < bytes.length; at += size) locator.push(bytes.subarray(at, at + size))
      expect(locator.isDone()).toBe(true)
      expect(locator.pointers()).toEqual(stringsIn({ all: value }))
    }),
  )
})

it('a place in a key gets the pointer of the object around it', () => {
  const text = '{"a":{"b":[{"MARK":1},{"c":"MARK"}]}}'
  const locator = new OffsetLocator([text.indexOf('MARK'), text.lastIndexOf('MARK')])
  locator.push(Buffer.from(text))
  expect(locator.pointers()).toEqual(['/a/b/0', '/a/b/1/c'])
})

it('a pointer is shown up to a key that is a secret, or that makes it too long', () => {
  const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
  const url = 'https:~1~1bob:s3cretpassw0rd@db.acme.io'
  expect(safePointer(`/a/${token}/b`, nowMs)).toBe('/a')
  expect(safePointer(`/é/${url}/b`, nowMs)).toBe('/é')
  expect(safePointer('/a~1b/0', nowMs)).toBe('/a~1b/0')
  expect(safePointer(`/a/${'k'.repeat(2_000)}`, nowMs)).toBe('/a')
})
