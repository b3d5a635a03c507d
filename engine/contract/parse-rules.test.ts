import { describe, expect, it } from 'vitest'
import { ContractError } from './contract.js'
import { judge } from './judge.js'
import { parseContract } from './parse-rules.js'

const encoder = new TextEncoder()
const parse = (contract: unknown) =>
  parseContract(encoder.encode(typeof contract === 'string' ? contract : JSON.stringify(contract)))

describe('a contract', () => {
  it.each([
    ['{', '', 'not JSON'],
    [[], '', 'This value must be an object.'],
    [{ tolernce: [] }, '/tolernce', 'There is no such rule.'],
    [{ compare: 'value' }, '/compare', 'This value must be "values" or "shape".'],
    [
      { tolerance: [{ path: '/a', absolute: 0.01 }] },
      '/tolerance/0/absolute',
      'must be a number in a string',
    ],
    [
      { tolerance: [{ path: '/a', absolute: '0.5%' }] },
      '/tolerance/0/absolute',
      'must be a number in a string',
    ],
    [{ tolerance: [{ path: '/a', relative: '0.5' }] }, '/tolerance/0/relative', 'must be a percentage'],
    [{ tolerance: [{ path: '/a', relative: '0.1234567890123%' }] }, '/tolerance/0/relative', '12 digits'],
    [{ tolerance: [{ path: '/a' }] }, '/tolerance/0', 'at least one of its limits'],
    [{ tolerance: [{ path: 'a', absolute: '1' }] }, '/tolerance/0/path', 'JSON Pointer'],
    [{ tolerance: [{ path: '/a', absolute: '1', more: 1 }] }, '/tolerance/0/more', 'no such rule'],
    [{ pattern: [{ path: '/a', matches: '(?!x)' }] }, '/pattern/0/matches', 'from character 2 on'],
    [{ pattern: [{ path: '/a', matches: 'a{9999}' }] }, '/pattern/0/matches', '2000 states'],
    [{ bounds: [{ path: '/a', change_max: '-1' }] }, '/bounds/0/change_max', 'number or percentage'],
    [{ bounds: [{ path: '/a', min: 'x' }] }, '/bounds/0/min', 'number in a string'],
    [{ keys: { '/rows': [] } }, '/keys/~1rows', 'This value must not be empty.'],
    [{ keys: { rows: ['id'] } }, '/keys/rows', 'This key must be a JSON Pointer'],
    ['{"keys":{"/a":["b"],"__proto__":["a"]}}', '/keys/__proto__', 'must be a JSON Pointer'],
    ['{"keys":{"\\u005f_proto__":5}}', '/keys/__proto__', 'must be a JSON Pointer'],
    ['{"__proto__":{}}', '/__proto__', 'no such rule'],
    ['{"tolerance":[{"path":"/a","absolute":"1"}],"tolerance":[]}', '/tolerance', 'twice'],
    ['{"order":"insignificant","ord\\u0065r":"significant"}', '/order', 'twice'],
    [
      '{"ignore":[],"bounds":[{"path":"","min":"0"},{"path":"","min":"0","min":"1"}]}',
      '/bounds/1/min',
      'twice',
    ],
    ['{"keys":{"/a~1b":["id"],"/a~1b":["day"]}}', '/keys/~1a~01b', 'twice'],
    ['{"schema":{"snippet":"@a","snippet":"@b"}}', '/schema/snippet', 'twice'],
    ['{"schema":{"type":"object"},"schema":{}}', '/schema', 'twice'],
    [{ keys: 5 }, '/keys', 'This value must be an object.'],
    [{ keys: null }, '/keys', 'This value must be an object.'],
    ['\ufeff{"order":1}', '/order', 'must be "significant" or "insignificant".'],
    [{ order: 'random' }, '/order', 'must be "significant" or "insignificant".'],
    [{ tolerance: {} }, '/tolerance', 'This value must be an array.'],
    [{ keys: { '': Array(21).fill('a') } }, '/keys/', 'must have at most 20 items'],
    [{ schema: 5 }, '/schema', 'JSON Schema'],
    [{ compare: 'shape', tolerance: [] }, '/tolerance', 'compares none'],
    [{ compare: 'shape', bounds: [{ path: '', change_max: '1' }] }, '/bounds/0/change_max', 'compares none'],
  ])('is refused with the place of its mistake: %j', (contract, pointer, message) => {
    expect(() => parse(contract)).toThrow(
      expect.objectContaining({ name: 'ContractError', pointer, message: expect.stringContaining(message) }),
    )
  })

  it('may have the same member in several objects, and repeat one in a value of its schema', () => {
    const schema = '{"const":{"a":1,"a":2}}'
    expect(
      parse(`{"bounds":[{"path":"","min":"0"},{"path":"","min":"0"}],"schema":${schema}}`),
    ).toMatchObject({
      schema,
    })
  })

  it('may begin with a byte order mark', () => {
    const schema = '{"const":"\ufeff"}'
    expect(parse(`\ufeff{"schema":${schema},"keys":{"/a":["b"]}}`)).toMatchObject({
      schema,
      keys: [['/a', ['b']]],
    })
    expect(() => parse('\ufeff\ufeff{}')).toThrow('not JSON')
  })

  it('keeps the digits of its schema, or names the snippet that has it', () => {
    const schema = '{"maximum": 12345678901234567890}'
    expect(parse(`{"schema": ${schema}}`)).toMatchObject({ schema, schemaSnippet: null })
    expect(parse('{"schema": {"snippet": "@prices"}}')).toMatchObject({
      schema: null,
      schemaSnippet: '@prices',
    })
  })
})

describe('a judgement', () => {
  const bytes = (text: string): Uint8Array => encoder.encode(text)

  it('is new without a baseline, unless the candidate breaks something by itself', () => {
    const contract = parse({ bounds: [{ path: '/a', min: '0' }], schema: { required: ['a'] } })
    expect(judge(null, bytes('{"a": 1}'), contract)).toMatchObject({ verdict: 'new', as: 'json' })
    expect(judge(null, bytes('{"a": -1}'), contract)).toMatchObject({ verdict: 'breaks' })
    expect(judge(null, bytes('{}'), contract).breaks).toMatchObject([{ rule: 'schema', pointer: '' }])
  })

  it('takes the schema of a snippet, and says if it is not there', () => {
    const contract = parse({ schema: { snippet: '@s' } })
    const judged = (schema?: string) =>
      judge(bytes('1'), bytes('1'), contract, { schema: schema === undefined ? undefined : bytes(schema) })
    expect(judged('{"type":"string"}').verdict).toBe('breaks')
    expect(judged('{"type":"number"}').verdict).toBe('same')
    expect(() => judged()).toThrow(expect.objectContaining({ pointer: '/schema/snippet' }))
    expect(() => judged('{"type":"numbr"}')).toThrow(ContractError)
    expect(() => judged('{')).toThrow(ContractError)
  })

  it('lists as many breaks as are wanted, and counts all', () => {
    const numbers = (add: number): Uint8Array =>
      bytes(JSON.stringify(Array.from({ length: 500 }, (_item, at) => at + add)))
    const found = judge(numbers(0), numbers(1), parse({}), { breaksMax: 10 })
    expect(found).toMatchObject({ counts: { breaks: 500, allowed: 0 }, truncated: true })
    expect(found.breaks).toHaveLength(10)
    expect(judge(numbers(0), numbers(1), parse({}), { breakUnitsMax: 50 }).breaks.length).toBeLessThan(10)
    const long = judge(bytes('"a"'), bytes(JSON.stringify('é'.repeat(5_000))), parse({})).breaks[0]
    expect(long?.candidate).toHaveLength(1_001)
  })

  it('refuses what its rules cannot be about', () => {
    expect(() => judge(bytes('a\n'), bytes('a\n'), parse({ schema: true }))).toThrow(ContractError)
    expect(() => judge(bytes('a\n'), bytes('a\n'), parse({ compare: 'shape' }))).toThrow(ContractError)
    expect(() => judge(bytes('x'), bytes('1'), parse({}), { as: 'json' })).toThrow('not JSON')
  })

  it('never expands exponents', () => {
    const contract = parse({
      tolerance: [{ path: '/*', relative: '10%' }],
      bounds: [{ path: '/*', max: '1e999999999' }],
    })
    const list = (text: string): Uint8Array =>
      bytes(`[${Array.from({ length: 2_000 }, () => text).join(',')}]`)
    expect(judge(list('1e999999998'), list('1.1e999999998'), contract).verdict).toBe('allowed')
    expect(judge(list('1e-999999998'), list('1.2e-999999998'), contract).verdict).toBe('breaks')
    expect(judge(list('1e999999998'), list('1e99999999999999999999'), contract).counts.breaks).toBe(4_000)
  })
})
