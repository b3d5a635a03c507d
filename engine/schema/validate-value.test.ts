import { describe, expect, it } from 'vitest'
import { readSchemaDocuments } from './schema-documents.js'
import { validateValue } from './validate-value.js'

const encoder = new TextEncoder()

function breaksOf(value: string, schema: unknown, breaksMax = 100): readonly string[] {
  const text = typeof schema === 'string' ? schema : JSON.stringify(schema)
  const documents = readSchemaDocuments(encoder.encode(value), encoder.encode(text))
  if (documents === null) throw new Error('There is no schema.')
  return validateValue(documents, breaksMax).breaks.map(({ message }) => message)
}

const draft7 = 'http://json-schema.org/draft-07/schema#'

describe('a schema', () => {
  it('compares numbers by every digit', () => {
    expect(breaksOf('12345678901234567890', '{"maximum":12345678901234567889}')).toHaveLength(1)
    expect(breaksOf('12345678901234567890', '{"maximum":12345678901234567890}')).toEqual([])
    expect(breaksOf('0.1', '{"const":0.10000000000000000001}')).toHaveLength(1)
    expect(breaksOf('[1.0,1]', '{"uniqueItems":true}')).toEqual(['The array has this item already.'])
    expect(breaksOf('1e999999999', '{"type":"integer","maximum":1e1000000000}')).toEqual([])
    expect(breaksOf('1e99999999999999999999', '{"maximum":5}')).toHaveLength(1)
    expect(breaksOf('0.3', '{"multipleOf":0.1}')).toEqual([])
  })

  it('finds everything that is wrong, each once', () => {
    const schema = {
      $defs: { id: { type: 'integer' } },
      required: ['name'],
      properties: { id: { allOf: [{ $ref: '#/$defs/id' }, { $ref: '#/$defs/id' }] } },
      additionalProperties: false,
    }
    expect(breaksOf('{"id":"x","more":1}', schema)).toEqual([
      'The member "name" is missing.',
      'This is of type string, not integer.',
      'The schema allows nothing here.',
    ])
  })

  it('applies to each of several members with one key', () => {
    const schema = { properties: { a: { type: 'integer' } }, maxProperties: 1 }
    expect(breaksOf('{"a":"x","a":1,"a":"y"}', schema)).toHaveLength(2)
  })

  it('may be about keys, also those that no other keyword names', () => {
    const schema = { propertyNames: { pattern: '^[a-z]+$', maxLength: 3 } }
    expect(breaksOf('{"abc":1,"x":{"Inner":1},"Abc":1,"abcd":2}', schema)).toHaveLength(2)
  })

  it('follows dynamic references to the outermost anchor, and counts what they evaluate', () => {
    const schema = {
      $id: 'https://example.com/derived',
      $ref: './base',
      $defs: {
        derived: { $dynamicAnchor: 'addons', properties: { bar: { type: 'string' } } },
        base: {
          $id: './base',
          unevaluatedProperties: false,
          properties: { foo: { type: 'string' } },
          $dynamicRef: '#addons',
          $defs: { fallback: { $dynamicAnchor: 'addons' } },
        },
      },
    }
    expect(breaksOf('{"foo":"a","bar":"b"}', schema)).toEqual([])
    expect(breaksOf('{"foo":"a","bar":"b","baz":1}', schema)).toHaveLength(1)
  })

  it.each([
    ['^\\d+\\.\\d+$', '"1.20"', true],
    ['^\\d+\\.\\d+$', '"1."', false],
    ['^(?:a|b)+?$', '"abab"', true],
    ['^(?<year>\\d{4})-\\w+', '"2026-x"', true],
    ['\\bcat\\b', '"a cat!"', true],
    ['\\bcat\\b', '"concat"', false],
    ['\\Bcat', '"concat"', true],
    ['^[\\w.-]+@[^\\s@]+$', '"a.b-c@d.e"', true],
    ['^\\p{Script=Greek}+$', '"αβγ"', true],
    ['^\\u{1F600}$', '"😀"', true],
    ['^\\uD83D\\uDE00$', '"😀"', true],
    ['^.$', '"\\u2028"', false],
    ['^[^]$', '"\\n"', true],
    ['[]', '"a"', false],
    ['^\\x41\\t\\/\\-$', '"A\\t/-"', true],
  ])('reads the pattern %s of ECMAScript: %s matches %s', (pattern, text, expected) => {
    expect(breaksOf(text, { pattern })).toHaveLength(expected ? 0 : 1)
  })

  it.each([
    ...[
      '[--/]',
      '[---]',
      '[a--]',
      '[-a]',
      '[a-]',
      '[\\d-]',
      '[\\d-x]',
      '[a-\\d]',
      '[\\w-\\d]',
      '[\\p{L}-z]',
      '[^-]',
      '[z-a]',
    ],
    ...[
      '^*',
      '^?',
      '$+',
      '\\b*',
      '\\B{2}',
      '(^)*',
      '(?:$)+',
      'a**',
      'a+?',
      'a??',
      'a{2}',
      'a{1,2}?',
      'a{,2}',
      'a{2,1}',
    ],
    ...['{', '}', ']', '[[]', '[\\]]', '(?:)', '()', '(', ')', '|', '[\\-]', '\\/', '\\q', '[\\b]', '[\\B]'],
    ...[
      '\\0',
      '\\01',
      '\\cA',
      '\\c1',
      '\\x41',
      '\\x4',
      '\\u0041',
      '\\u{41}',
      '\\u{110000}',
      '\\p{L}',
      '\\P{Lu}',
      '\\p{Foo}',
    ],
  ])('takes and refuses the pattern %s as ECMAScript does', (pattern) => {
    const texts = [
      '',
      'aa',
      'a-b',
      '😀',
      'é',
      '\n',
      ...Array.from({ length: 128 }, (_c, at) => String.fromCharCode(at)),
    ]
    const native = (): readonly boolean[] => texts.map((text) => new RegExp(pattern, 'u').test(text))
    const own = (): readonly boolean[] =>
      texts.map((text) => breaksOf(JSON.stringify(text), { pattern }).length === 0)
    let expected: readonly boolean[] | null = null
    try {
      expected = native()
    } catch {
      expect(own).toThrow(expect.objectContaining({ code: 'schema_unsupported' }))
    }
    if (expected !== null) expect(own()).toEqual(expected)
  })

  it.each([
    [{ type: 'strng' }, 'schema_invalid', 'This is not a type'],
    [{ properties: { a: 1 } }, 'schema_invalid', 'A schema must be an object, true or false.'],
    [{ minLength: -1 }, 'schema_invalid', 'not negative'],
    [{ multipleOf: 0 }, 'schema_invalid', 'greater than 0'],
    [{ required: ['a', 'a'] }, 'schema_invalid', 'this string already'],
    ['{"type":"string","type":"number"}', 'schema_invalid', 'more than once'],
    [{ anyOf: [] }, 'schema_invalid', 'at least one schema'],
    [
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
      'schema_invalid',
      'Two schemas have the anchor x',
    ],
    [{ $ref: 'other.json' }, 'schema_ref_remote', 'nothing is fetched'],
    [{ $ref: 'https://example.com/a' }, 'schema_ref_remote', 'https://example.com/a is not part'],
    [{ $defs: { unused: { $ref: 'file:///etc/passwd' } } }, 'schema_ref_remote', 'nothing is fetched'],
    [{ $ref: '#/nowhere' }, 'schema_ref_not_found', 'nothing at /nowhere'],
    [{ $ref: '#nowhere' }, 'schema_ref_not_found', 'no anchor nowhere'],
    [{ $schema: draft7 }, 'schema_unsupported', 'of another: http://json-schema.org/draft-07/schema'],
    [{ pattern: '(?=a)b' }, 'schema_unsupported', 'from character 2 on'],
    [{ pattern: '(a)\\1' }, 'schema_unsupported', 'no back reference'],
    [{ patternProperties: { '[': true } }, 'schema_unsupported', 'from character 2 on'],
    [{ pattern: 'a{5000}' }, 'schema_unsupported', '2000 states'],
  ])('is refused with what is wrong: %j', (schema, code, message) => {
    expect(() => breaksOf('{}', schema)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })

  it.each([
    ['#', '{"$ref":"#"}'],
    ['two', '{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}'],
    ['dynamic', '{"$dynamicRef":"#a","$dynamicAnchor":"a"}'],
    ['not', '{"not":{"$ref":"#"}}'],
    ['oneOf', '{"oneOf":[{"if":{"anyOf":[{"$ref":"#"},true]}},false]}'],
  ])('that refers to itself without an end is refused: %s', (_name, schema) => {
    expect(() => breaksOf('{}', schema)).toThrow(expect.objectContaining({ code: 'schema_endless' }))
  })

  it('says of a member once that it is wrong, and not that it is not allowed', () => {
    const schema = { allOf: [{ properties: { a: { type: 'number' } } }], unevaluatedProperties: false }
    expect(breaksOf('{"a":"x"}', schema)).toEqual(['This is of type string, not number.'])
    expect(breaksOf('{"a":1,"b":1}', schema)).toEqual(['The schema allows nothing here.'])
  })

  it('may require a key that is half of a pair of surrogates', () => {
    expect(breaksOf('{"\\ud800":1}', '{"required":["\\ud800"]}')).toEqual([])
    expect(breaksOf('{"\ufffd":1}', '{"required":["\\ud800"]}')).toHaveLength(1)
  })

  it('asks about keys however the keyword is spelled, and may begin with a byte order mark', () => {
    const said = ['The schema of propertyNames does not accept this key.']
    expect(breaksOf('{"abc":1}', '{"property\\u004eames":{"maxLength":1}}')).toEqual(said)
    expect(breaksOf('{"abc":1}', '\ufeff{"propertyNames":{"maxLength":1}}')).toEqual(said)
  })

  it('does not count what other schemas have evaluated', () => {
    const cousins = { allOf: [{ properties: { foo: true } }, { unevaluatedProperties: false }] }
    expect(breaksOf('{"foo":1}', { ...cousins, unevaluatedProperties: false })).toHaveLength(1)
    expect(
      breaksOf('{"foo":1}', { allOf: [...cousins.allOf].reverse(), unevaluatedProperties: false }),
    ).toHaveLength(1)
  })

  it('with a large enum takes no longer for each value', () => {
    const values = Array.from({ length: 50_000 }, (_value, at) => at)
    expect(breaksOf(JSON.stringify(values), { items: { enum: values } })).toEqual([])
  })

  it('goes as deep as documents do', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { allOf: [{ properties: { a: { $ref: '#/$defs/node' } } }] } },
    }
    const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(breaksOf(deep(500), tree)).toEqual([])
    expect(breaksOf(`${'['.repeat(500)}${']'.repeat(500)}`, { items: { $ref: '#' } })).toEqual([])
  })

  it('reports as much as is wanted, and says that there is more', () => {
    const documents = readSchemaDocuments(
      encoder.encode('["a","b","c"]'),
      encoder.encode('{"items":{"type":"null"}}'),
    )
    const found = documents === null ? null : validateValue(documents, 2)
    expect(found).toMatchObject({ truncated: true, breaks: [expect.anything(), expect.anything()] })
  })
})
