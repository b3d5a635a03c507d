import { describe, expect, it } from 'vitest'
import { stepsAtLeast } from './evaluation.js'
import { readSchemaDocuments } from './schema-documents.js'
import { validateValue } from './validate-value.js'

const encoder = new TextEncoder()

/** What a schema says about a value. It gets a hundredth of the usual steps, so that what is refused is refused soon. */
function breaksOf(value: string, schema: unknown, stepsMin = stepsAtLeast / 100): readonly string[] {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
  const documents = readSchemaDocuments(encoder.encode(value), encoder.encode(text))
  if (documents === null) throw new Error('There is no schema.')
  return validateValue(documents, 100, stepsMin).breaks.map(({ message }) => message)
}

describe('a schema', () => {
  it('that doubles its work at each step is refused', () => {
    const levels = Array.from({ length: 40 }, (_level, at) => [
      `l${at}`,
      { not: { not: { anyOf: [{ not: { $ref: `#/$defs/l${at + 1}` } }, { $ref: `#/$defs/l${at + 1}` }] } } },
    ])
    const schema = {
      $ref: '#/$defs/l0',
      $defs: { ...Object.fromEntries(levels), l40: { oneOf: [true, true] } },
    }
    expect(() => breaksOf('{}', schema)).toThrow(expect.objectContaining({ code: 'schema_too_costly' }))
  })

  it.each([
    [
      'patterns of keys',
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 300 }, (_pattern, at) => [`${'(a?)'.repeat(40)}x${at}`, true]),
        ),
      },
    ],
    [
      'patterns',
      { additionalProperties: { allOf: Array.from({ length: 300 }, () => ({ pattern: '(a?){80}b' })) } },
    ],
    ['counts', { additionalProperties: { allOf: Array.from({ length: 9_000 }, () => ({ minLength: 1 })) } }],
  ])('of costly %s ends', (_what, schema) => {
    const keys = Array.from({ length: 400 }, (_key, at) => `${'a'.repeat(30)}${at}`)
    const value = JSON.stringify(Object.fromEntries(keys.map((key) => [key, 'a'.repeat(2_000)])))
    expect(() => breaksOf(value, schema)).toThrow(expect.objectContaining({ code: 'schema_too_costly' }))
  })

  it.each([
    [
      '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
      5_000,
      (at: number) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
    ],
    [
      '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$',
      5_000,
      (at: number) => `2026-11-28T06:47:25.${at}Z`,
    ],
    ['[a-z]+@[a-z.]+\\.[a-z]{2,}', 5_000, (at: number) => `someone.${at}.of.the.company@mail.example.org`],
  ])('of a usual pattern takes as many texts as there are: %s', (pattern, count, textOf) => {
    // What each text adds to the steps is enough for it, so any number of them is.
    const value = JSON.stringify(Array.from({ length: count }, (_item, at) => textOf(at)))
    expect(breaksOf(value, { items: { pattern } }, 10_000)).toEqual([])
    const object = `{${JSON.parse(value)
      .map((text: string) => `${JSON.stringify(text)}:1`)
      .join(',')}}`
    const named = { patternProperties: { [pattern]: true }, additionalProperties: false }
    expect(breaksOf(object, named, 10_000)).toEqual([])
  })

  const many = Array.from({ length: 20_000 }, (_item, at) => at)
  it.each([
    ['uniqueItems with the duplicate last', [...many, 0], { not: { uniqueItems: true } }, 1_500],
    [
      'properties that are not there',
      Object.fromEntries(many.map((at) => [`k${at}`, at])),
      { properties: { a: true } },
      1_500,
    ],
    [
      'dependentSchemas of empty objects',
      many.map(() => ({})),
      { items: { dependentSchemas: { a: true } } },
      1_500,
    ],
    ['unevaluatedItems in layers', many, { items: true, unevaluatedItems: false }, 1_500],
  ])('of much work without a step of a schema ends: %s', (_what, value, schema, times) => {
    const costly = { allOf: Array.from({ length: times }, () => schema) }
    expect(() => breaksOf(JSON.stringify(value), costly)).toThrow(
      expect.objectContaining({ code: 'schema_too_costly' }),
    )
    expect(breaksOf(JSON.stringify(value), { allOf: [schema] })).toEqual([])
  })

  it('of integers asks long numbers no oftener than it can', () => {
    const value = JSON.stringify(['x']).replace('"x"', `1${'0'.repeat(1_000_000)}.5`)
    const costly = { items: { allOf: Array.from({ length: 2_000 }, () => ({ type: 'integer' })) } }
    expect(() => breaksOf(value, costly)).toThrow(expect.objectContaining({ code: 'schema_too_costly' }))
  })

  it('counts breaks as far as steps and memory go', () => {
    const count = (items: readonly unknown[], schema: object, stepsMin = stepsAtLeast): number => {
      const texts = [items, schema].map((one) => encoder.encode(JSON.stringify(one)))
      const documents = readSchemaDocuments(texts[0] ?? encoder.encode(''), texts[1] ?? null)
      if (documents === null) throw new Error('There is no schema.')
      const { breaks, count: counted } = validateValue(documents, 10, stepsMin, 50_000)
      expect(breaks).toHaveLength(10)
      return counted
    }
    const items = Array.from({ length: 20_000 }, () => ({}))
    expect(count(items, { items: { required: ['a'] } })).toBe(20_000)
    const long = count(items.slice(0, 1_000), { items: { required: ['a'.repeat(100_000)] } })
    expect([long > 100, long < 200]).toEqual([true, true])
    const costly = {
      items: { required: ['a'], allOf: Array.from({ length: 5_000 }, () => ({ minLength: 1 })) },
    }
    const some = count(items, costly, 10_000)
    expect([some > 10, some < 1_000]).toEqual([true, true])
  })

  it('with many references to many members reads them once', () => {
    const names = Array.from({ length: 20_000 }, (_name, at) => `n${at}`)
    const schema = {
      $defs: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    }
    expect(breaksOf('{"n19999":"x"}', schema)).toEqual(['This is of type string, not integer.'])
  })

  it('that asks for unevaluated members in many layers ends', () => {
    const members = Array.from({ length: 1_000 }, (_member, at) => [`k${at}`, at])
    const layers = Array.from({ length: 50 }, () => ({
      properties: Object.fromEntries(members.map(([key]) => [key, true])),
      unevaluatedProperties: false,
    }))
    const value = JSON.stringify(Object.fromEntries(members))
    expect(breaksOf(value, { allOf: layers, unevaluatedProperties: false }, stepsAtLeast)).toEqual([])
    expect(breaksOf(`${value.slice(0, -1)},"other":1}`, { allOf: layers }, stepsAtLeast)).toHaveLength(50)
  })
})
