import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { randomJson } from '../testing/random-documents.js'
import { runOnText } from '../testing/run-tool.js'
import { assignmentErrors } from '../testing/typescript-errors.js'
import { jsonSchemaInfer } from './json-schema-infer.js'
import { jsonToTypescript } from './json-to-typescript.js'
import { stringFormats } from './string-formats.js'

type Schema = Readonly<Record<string, unknown>>

async function inferred(text: string, options: Readonly<Record<string, unknown>> = {}): Promise<Schema> {
  const { $schema: _dialect, ...schema } = JSON.parse(await runOnText(jsonSchemaInfer, text, options))
  return schema
}

const typed = (text: string, options: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  runOnText(jsonToTypescript, text, options)

describe('an inferred schema', () => {
  it('is satisfied by the samples it comes from, whatever its options', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const random = seededRandom(seed)
      // The validator takes no half pairs in keys.
      const documents = Array.from({ length: 1 + random.below(4) }, () =>
        randomJson(random).replace(/"(\\ude00)?\\ud83d"/g, '"half"'),
      )
      const options = { enums: random.below(2) === 0, closed: random.below(2) === 0 }
      const text = `[${documents.join(',')}]`
      const schema = await inferred(text, { samples: 'items', ...options })
      expect(
        await inferred(documents.map((one) => one.replace(/\s/g, ' ')).join('\n'), {
          samples: 'lines',
          ...options,
        }),
      ).toEqual(schema)
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
      for (const one of JSON.parse(text) as unknown[])
        expect(validate(one), `${JSON.stringify(one)} ${JSON.stringify(schema)}`).toBe(true)
    }
  })

  it('requires what every object has, a repeated key counted once', async () => {
    const schema = await inferred('[{"a":1,"b":1,"b":2},{"b":3},{"b":4,"c":5}]', { samples: 'items' })
    expect(schema.required).toEqual(['b'])
    expect(Object.keys(schema.properties as object)).toEqual(['a', 'b', 'c'])
  })

  it('tells integers from other numbers by their spelling', async () => {
    expect(await inferred('[12345678901234567890,-0]')).toMatchObject({ items: { type: 'integer' } })
    expect(await inferred('[1,1.0]')).toMatchObject({ items: { type: 'number' } })
    expect(await inferred('[1e3]')).toMatchObject({ items: { type: 'number' } })
  })

  it.each([
    ['date-time', ['2026-11-25T04:00:00Z', '2026-11-25t23:59:59.123+05:30'], '2026-11-25 04:00:00'],
    ['date', ['2026-02-28', '1999-12-31'], '2026-02-30'],
    ['time', ['04:00:00Z', '23:59:59.5-01:00'], '24:00:00Z'],
    ['uuid', ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'], 'f81d4fae'],
    ['email', ['ada@example.com', 'a.b+c@mail.example.co'], 'ada@'],
    ['uri', ['https://example.com/a?b=%20#c', 'ftp://h:21'], 'example.com/a'],
    ['ipv4', ['127.0.0.1', '255.0.10.9'], '256.0.0.1'],
  ])('finds the format %s only if all strings have it', async (format, good, bad) => {
    expect(await inferred(JSON.stringify(good))).toMatchObject({ items: { type: 'string', format } })
    expect((await inferred(JSON.stringify([...good, bad]))).items).toEqual({ type: 'string' })
    expect((await inferred(JSON.stringify(good), { formats: false })).items).toEqual({ type: 'string' })
    expect(stringFormats.map(([name]) => name)).toContain(format)
  })

  it('makes a dictionary of an object with more than a thousand keys', async () => {
    const users = Object.fromEntries(
      Array.from({ length: 1_001 }, (_user, at) => [
        `user${at}`,
        { name: 'x', ...(at === 7 ? { age: 1 } : {}) },
      ]),
    )
    expect(await inferred(JSON.stringify({ users }))).toMatchObject({
      properties: {
        users: {
          type: 'object',
          additionalProperties: {
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            required: ['name'],
          },
        },
      },
    })
    expect(await typed(JSON.stringify(users))).toContain('export type Root = { [key: string]: RootItem }')
  })

  it('describes 200 levels, and says nothing of what is deeper', async () => {
    const depth = 500
    const schema = await inferred(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, {
      indent: 'none',
      closed: true,
    })
    expect(JSON.stringify(schema).split('"properties"')).toHaveLength(201)
    expect(JSON.stringify(schema)).toContain('{"type":"object"}')
  })

  it('stays small, however many keys there are in however many objects', async () => {
    const level = (depth: number, at: number): object =>
      depth === 0
        ? {}
        : Object.fromEntries(
            Array.from({ length: 40 }, (_key, key) => [`k${at}_${key}`, level(depth - 1, key)]),
          )
    const schema = await inferred(JSON.stringify(level(3, 0)), { indent: 'none', closed: true })
    const places = JSON.stringify(schema).split('"type"').length
    expect(places).toBeGreaterThan(19_000)
    expect(places).toBeLessThan(20_010)
  })
})

describe('TypeScript types', () => {
  it('take the documents they come from', async () => {
    for (let round = 0; round < 10; round += 1) {
      const samples = await Promise.all(
        Array.from({ length: 40 }, async (_sample, at) => {
          const random = seededRandom(1_000 * round + at)
          // A literal cannot have a key twice.
          const json = JSON.stringify(JSON.parse(randomJson(random)))
          const options = {
            name: `T${at}`,
            declare: random.pick(['interface', 'type']),
            readonly: random.below(2) === 0,
            enums: random.below(2) === 0,
          }
          return { json, name: options.name, types: await typed(json, options) }
        }),
      )
      expect(assignmentErrors(samples)).toEqual([])
    }
  })

  it('refuse what the samples do not have', async () => {
    const types = await typed('[{"a":1},{"a":2,"b":"x"}]')
    const wrong = ['[{"a":"1"}]', '[{"b":"x"}]', '[{"a":1,"c":1}]', '{}', '[null]']
    for (const json of wrong) expect(assignmentErrors([{ json, name: 'Root', types }])).toHaveLength(1)
  })

  it('are declared once for objects that are alike, and named after their keys', async () => {
    const address = { street: 'x', city: 'y' }
    const types = await typed(
      JSON.stringify({
        billing: address,
        shipping: address,
        entries: [{ 'sub-entry': { a: 1 } }],
        root: { b: 2 },
      }),
    )
    expect(types.match(/\w+(?= \{$)/gm)).toEqual(['Root', 'Billing', 'Entry', 'SubEntry', 'Root2'])
    expect(types).toContain('  shipping: Billing\n')
  })

  it('have names that are identifiers, whatever the keys are', async () => {
    const keys = ['', ' ', '1st', 'class', 'é', '日本', '😀', 'a.b', '-', '$x', 'constructor', '\u2028', '"']
    const json = JSON.stringify(Object.fromEntries(keys.map((key, at) => [key, { [`k${at}`]: [key] }])))
    expect(assignmentErrors([{ json, name: 'Root', types: await typed(json) }])).toEqual([])
  })
})
