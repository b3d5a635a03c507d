import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { parseJsonPointer } from './json-pointer.js'
import { createPointerLocators, type LocatedValue } from './pointer-locator.js'

const createPointerLocator = createPointerLocators()

function locateIn(chunks: readonly Buffer[], pointer: string): LocatedValue | null {
  const locator = createPointerLocator(parseJsonPointer(pointer))
  for (const chunk of chunks) locator.push(chunk)
  return locator.finish()
}

/** The kind and the text of the located value. */
function locate(text: string, pointer: string): string | null {
  const bytes = Buffer.from(text)
  const value = locateIn([bytes], pointer)
  for (const size of [1, 2, 3, 7]) expect(locateIn(cutEvery(bytes, size), pointer)).toEqual(value)
  return value && `${value.kind} ${bytes.subarray(value.offset, value.offset + value.length)}`
}

describe('the document of RFC 6901', () => {
  const text = `{
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8
  }`

  it.each([
    ['/foo', 'array ["bar", "baz"]'],
    ['/foo/0', 'string "bar"'],
    ['/foo/1', 'string "baz"'],
    ['/', 'number 0'],
    ['/a~1b', 'number 1'],
    ['/c%d', 'number 2'],
    ['/e^f', 'number 3'],
    ['/g|h', 'number 4'],
    ['/i\\j', 'number 5'],
    ['/k"l', 'number 6'],
    ['/ ', 'number 7'],
    ['/m~0n', 'number 8'],
  ])('has the value from the RFC at %s', (pointer, value) => expect(locate(text, pointer)).toBe(value))

  it('is itself at the empty pointer', () => expect(locate(` ${text} `, '')).toBe(`object ${text}`))
})

describe('a value', () => {
  const text = '{"a":{"b":[10,[20,{"c":true}],{"d":null},-1.5e3,"x,]}"]},"é\\u20ac":{"\\ud83d\\ude00":false}}'

  it.each([
    ['/a/b/0', 'number 10'],
    ['/a/b/1/0', 'number 20'],
    ['/a/b/1/1', 'object {"c":true}'],
    ['/a/b/1/1/c', 'boolean true'],
    ['/a/b/2/d', 'null null'],
    ['/a/b/3', 'number -1.5e3'],
    ['/a/b/4', 'string "x,]}"'],
    ['/é€/😀', 'boolean false'],
  ])('is found at %s', (pointer, value) => expect(locate(text, pointer)).toBe(value))

  it.each([
    '/b',
    '/a/c',
    '/a/b/5',
    '/a/b/-',
    '/a/b/00',
    '/a/b/01',
    '/a/b/-1',
    '/a/b/1.0',
    '/a/b/+1',
    '/a/b/',
    '/a/b/0/0',
  ])('is not found at %s', (pointer) => expect(locate(text, pointer)).toBe(null))

  it.each(['/a/b/4/0', '/a/b/3/x', '/a/b/1/1/c/d', '/a/b/length', '/a/b/1e0', '/toString', '/__proto__'])(
    'is not found at %s',
    (pointer) => expect(locate(text, pointer)).toBe(null),
  )

  it('at an index is not taken from an object, but a key of digits is', () => {
    expect(locate('{"0":"a","01":"b","-":"c"}', '/0')).toBe('string "a"')
    expect(locate('{"0":"a","01":"b","-":"c"}', '/01')).toBe('string "b"')
    expect(locate('{"0":"a","01":"b","-":"c"}', '/-')).toBe('string "c"')
  })
})

describe('of duplicate keys', () => {
  it.each([
    ['{"a":1,"a":2}', '/a', 'number 2'],
    ['{"a":1,"\\u0061":[]}', '/a', 'array []'],
    ['{"a":{"b":1},"a":{"b":2}}', '/a/b', 'number 2'],
    ['{"a":{"b":1},"a":{"c":2}}', '/a/b', null],
    ['{"a":{"b":1},"a":5}', '/a/b', null],
    ['{"a":5,"a":{"b":1}}', '/a/b', 'number 1'],
    ['{"a":[1,2],"a":[3]}', '/a/1', null],
    ['{"a":{"b":1,"b":2},"x":{"a":{"b":3}}}', '/a/b', 'number 2'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__', 'number 2'],
  ])('the last one counts: %s at %s', (text, pointer, value) => expect(locate(text, pointer)).toBe(value))
})

describe('a document that is a single value', () => {
  it.each(['"a"', '12', '-0.5', 'true', 'null', '[]', '{}'])('is found whole: %s', (text) => {
    expect(locate(text, '')?.endsWith(` ${text}`)).toBe(true)
    expect(locate(` ${text}\n`, '')?.endsWith(` ${text}`)).toBe(true)
    expect(locate(text, '/0')).toBe(null)
  })
})

/** The value that `JSON.parse` and a walk along the pointer find. */
function walk(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((at, token) => {
    if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(token) ? at[Number(token)] : undefined
    return typeof at === 'object' && at !== null && Object.hasOwn(at, token)
      ? (at as Record<string, unknown>)[token]
      : undefined
  }, value)
}

describe('for any document and pointer, a locator', () => {
  it('finds the same as JSON.parse and a walk along the pointer', () => {
    const key = fc.constantFrom('a', 'b', '0', '1', '', 'é', '"\\')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom('1', '-2.5', '"x"', '"]}\\""', 'null', 'true', '[]', '{}'),
        fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(key, tie('tree')), { maxLength: 5 })
          .map((members) => `{${members.map(([name, of]) => `${JSON.stringify(name)}: ${of}`).join(',')}}`),
      ),
    }))
    let found = 0
    fc.assert(
      fc.property(tree, fc.array(key, { maxLength: 4 }), fc.integer(), (tree, tokens, seed) => {
        const bytes = Buffer.from(String(tree))
        const pointer = tokens.map((token) => `/${token}`).join('')
        const value = locateIn(cutAnywhere(bytes, seededRandom(seed)), pointer)
        const expected = walk(JSON.parse(String(tree)), tokens)
        if (value === null) return expected === undefined
        found++
        const text = bytes.subarray(value.offset, value.offset + value.length).toString()
        expect(JSON.parse(text)).toEqual(expected)
        return text === text.trim()
      }),
      { numRuns: 10_000 },
    )
    expect(found).toBeGreaterThan(500)
  })

  it('finds the value among very long keys', () => {
    const long = 'k'.repeat(300_000)
    expect(locate(`{"${long}":1,"k":2,"${long}":3}`, '/k')).toBe('number 2')
    expect(locate(`{"k":1,"${long}":2}`, `/${long}`)).toBe('number 2')
  })
})
