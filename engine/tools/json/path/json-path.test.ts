import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { corpusFolder } from '#libs/testing/corpora.js'
import { runOnText } from '../../testing/run-tool.js'
import { jsonQuery } from '../json-query.js'

interface SuiteTest {
  readonly name: string
  readonly selector: string
  readonly document?: unknown
  readonly result?: unknown
  readonly results?: readonly unknown[]
  readonly result_paths?: readonly string[]
  readonly results_paths?: readonly (readonly string[])[]
  readonly invalid_selector?: boolean
}

const folder = corpusFolder('jsonpath')
const missing = folder === null ? ' (skipped: the corpus is not here; npm run corpora fetches it)' : ''

function suiteTests(): readonly SuiteTest[] {
  const suite: { readonly tests: readonly SuiteTest[] } = JSON.parse(
    readFileSync(join(folder ?? '', 'cts.json'), 'utf8'),
  )
  return suite.tests
}

const query = (document: string, path: string, options: object = {}) =>
  runOnText(jsonQuery, document, { path, indent: 'none', final_newline: false, ...options })

describe.skipIf(folder === null)(`the compliance tests of RFC 9535${missing}`, () => {
  it('refuse 247 paths, and so do we', async () => {
    const invalid = suiteTests().filter((test) => test.invalid_selector === true)
    expect(invalid).toHaveLength(247)
    const taken: string[] = []
    for (const { name, selector } of invalid) {
      const failure = await query('{}', selector).catch((error: unknown) => error)
      if ((failure as { code?: string }).code !== 'path_invalid') taken.push(`${name}: ${selector}`)
    }
    expect(taken).toEqual([])
  })

  it('find values and paths with 456 others, and we the same', async () => {
    const valid = suiteTests().filter((test) => test.invalid_selector !== true)
    expect(valid).toHaveLength(456)
    const wrong: unknown[] = []
    for (const test of valid) {
      const document = JSON.stringify(test.document)
      const results = test.results ?? [test.result]
      const paths = test.results_paths ?? [test.result_paths]
      const found = await query(document, test.selector).then((text): unknown => JSON.parse(text), String)
      const foundPaths = await query(document, test.selector, { result: 'paths' }).then(
        (text): unknown => JSON.parse(text),
        String,
      )
      const [text, pathsText] = [JSON.stringify(found), JSON.stringify(foundPaths)]
      if (!results.some((one) => JSON.stringify(one) === text)) wrong.push([test.name, test.selector, found])
      if (!paths.some((one) => JSON.stringify(one) === pathsText))
        wrong.push([test.name, test.selector, foundPaths])
    }
    expect(wrong).toEqual([])
  })
})

describe('a query', () => {
  const document =
    '{"a":1.50,"a":12345678901234567890,"b":[{"c":"\\u0061"},{"c":"a"},{"c":9007199254740993}]}'

  it.each([
    ['$.a', '[1.50,12345678901234567890]'],
    ['$.b[?@.c == "a"]', '[{"c":"\\u0061"},{"c":"a"}]'],
    ['$.b[?@.c == 9007199254740993].c', '[9007199254740993]'],
    ['$.b[?@.c == 9007199254740992].c', '[]'],
    ['$.b[?@.c > 9007199254740992].c', '[9007199254740993]'],
    ['/a', '12345678901234567890'],
    ['/b/0/c', '"\\u0061"'],
    ['', document],
  ])('keeps what it finds as it is spelled: %s', async (path, expected) => {
    expect(await query(document, path)).toBe(expected)
  })

  it.each([
    ['[{"a":1,"b":[2.0,{}]},{"b":[2,{}],"a":1}]', 2],
    ['[{"\\u0061":1},{"a":1}]', 2],
    ['[{"a":2,"a":1},{"a":1}]', 2],
    ['[{"a":1,"b":1},{"a":1}]', 1],
    ['[{"a":1},{"b":1}]', 1],
    ['[[1,2],[1]]', 1],
    ['[[],{}]', 1],
    ['[{},{}]', 2],
  ])('compares objects and arrays by what they hold: %s', async (values, count) => {
    expect(JSON.parse(await query(values, '$[?@ == $[0]]'))).toHaveLength(count)
  })

  it.each([
    ['0.1', '0.10000000000000000001'],
    ['1e400', '1.1e400'],
    ['1e400', '1e401'],
    ['-1e401', '-1e400'],
    ['-1e-400', '0'],
    ['-0.0', '1e-400'],
    ['9007199254740992', '9007199254740993'],
    ['1e99999999999999999999', '1e100000000000000000000'],
  ])('knows that %s is less than %s', async (less, more) => {
    expect(await query(`[${less},${more}]`, '$[?@ < $[1]]')).toBe(`[${less}]`)
    expect(await query(`[${less},${more}]`, '$[?@ > $[0]]')).toBe(`[${more}]`)
    expect(await query(`[${less},${more}]`, '$[?@ <= $[0]]')).toBe(`[${less}]`)
  })

  it.each([
    ['$[::-1]', [4, 3, 2, 1, 0]],
    ['$[::-2]', [4, 2, 0]],
    ['$[3:0:-2]', [3, 1]],
    ['$[9:-9:-9007199254740991]', [4]],
    ['$[0:3:-1]', []],
  ])('takes slices backwards, with their paths: %s', async (path, items) => {
    expect(JSON.parse(await query('[0,1,2,3,4]', path))).toEqual(items)
    const paths = JSON.parse(await query('[0,1,2,3,4]', path, { result: 'paths' }))
    expect(paths).toEqual(items.map((item) => `$[${item}]`))
  })

  it('repeats no endless key in each path', async () => {
    const endless = `{"${'k'.repeat(1_000_001)}":[1,2]}`
    await expect(query(endless, '$..*', { result: 'paths' })).rejects.toMatchObject({ code: 'path_too_long' })
    expect(await query(endless, '$..[1]')).toBe('[2]')
  })

  it.each([
    ["$[?match(@, '(?=a)')]", 15, '?'],
    ["$[?match(@, '(?<!a)b')]", 15, '?'],
    ["$[?match(@, '(?:a)')]", 15, '?'],
    ["$[?search( @ , 'a*?')]", 19, '?'],
    ["$[?search(@, 'a++')]", 17, '+'],
    ['$[?!search(@, "😀\\"(a)\\\\1")]', 22, '\\'],
    ["$[?match(@, '\\\\d')]", 14, '\\'],
    ["$[?match(@, '\\u0061\\\\p{Latin}')]", 20, '\\'],
    ["$[?match(@, 'a{2,1}')]", 15, '{'],
    ["$[?match(@, '[b-a]')]", 15, 'b'],
    ["$[?match(@, 'a(')]", 16, "'"],
  ])('refuses a pattern that RFC 9485 has not, and says where: %s', async (path, column, character) => {
    await expect(query('["a"]', path)).rejects.toMatchObject({
      code: 'path_invalid',
      message: expect.stringContaining(
        `(I-Regexp): character ${column} of the path cannot be ${character}. `,
      ),
    })
  })

  it('takes no pattern of the document for an error: what is none matches nothing', async () => {
    const patterns = '{"p":"(?=a)","values":["a"]}'
    expect(await query(patterns, '$.values[?match(@, $.p)]')).toBe('[]')
    expect(await query(patterns, '$.values[?!search(@, $.p)]')).toBe('["a"]')
    expect(await query('["a"]', '$[?match(@, 1)]')).toBe('[]')
  })

  it.each(['('.repeat(4_000), '(a{50}){50}'])('refuses a pattern that is too large', async (pattern) => {
    await expect(query('[]', `$[?match(@, '${pattern}')]`)).rejects.toMatchObject({
      code: 'pattern_too_large',
    })
  })

  it.each([
    ['/c', 'path_not_found'],
    ['/b/3', 'path_not_found'],
    ['/b/01', 'path_not_found'],
    ['b', 'path_invalid'],
    ['$.b[', 'path_invalid'],
    [`$[?${'('.repeat(100)}@${')'.repeat(100)}]`, 'path_invalid'],
  ])('says what is wrong with %s', async (path, code) => {
    await expect(query(document, path)).rejects.toMatchObject({ code })
  })
})
