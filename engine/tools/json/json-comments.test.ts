import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { randomJson } from '../testing/random-documents.js'
import { runOnText, runTool } from '../testing/run-tool.js'
import { jsonFormat } from './json-format.js'
import { jsonMinify } from './json-minify.js'
import { jsonQuery } from './json-query.js'
import { jsonSortKeys } from './json-sort-keys.js'
import { jsonValidate } from './json-validate.js'

const settings = '// editor settings\n{\n  "tabs": 2, // spaces\n  "rules": [1, 2,],\n}\n'

describe('JSON with comments', () => {
  it.each([
    [settings, '// editor settings\n{\n  "tabs": 2, // spaces\n  "rules": [\n    1,\n    2,\n  ],\n}\n'],
    ['[]//a', '[] //a\n'],
    ['[ // a\n]', '[ // a\n]\n'],
    ['{/* a */}', '{ /* a */\n}\n'],
    [
      '{"a" /* b */ : /* c */ 1 /* d */ , /* e */ "f":2}',
      '{\n  "a" /* b */: /* c */ 1 /* d */, /* e */\n  "f": 2\n}\n',
    ],
    ['{"a": // b\n1 // c\n, // d\n"e":2 // f\n}', '{\n  "a": // b\n  1 // c\n  , // d\n  "e": 2 // f\n}\n'],
    [
      '[\n  // one\n  1,\n\n  // two\n  /* three */ 2\n  // four\n]\n// five\n',
      '[\n  // one\n  1,\n  // two\n  /* three */\n  2\n  // four\n]\n// five\n',
    ],
    ['/* a\n   b */\n/**/ 1', '/* a\n   b */\n/**/\n1\n'],
    ['["// no", "/* no */", "é" /* é */]', '[\n  "// no",\n  "/* no */",\n  "é" /* é */\n]\n'],
    ['1//x', '1 //x\n'],
  ])('%j is formatted with its comments, and stays then', async (text, formatted) => {
    expect(await runOnText(jsonFormat, text, { comments: 'keep' })).toBe(formatted)
    expect(await runOnText(jsonFormat, formatted, { comments: 'keep' })).toBe(formatted)
    const bytes = Buffer.from(text)
    for (const size of [1, 2, 3, 7])
      expect(
        new TextDecoder().decode(await runTool(jsonFormat, cutEvery(bytes, size), { comments: 'keep' })),
      ).toBe(formatted)
  })

  it.each([
    [settings, '// editor settings\n{"tabs":2,// spaces\n"rules":[1,2,],}'],
    ['[1 /* a */, 2 // b\n, 3]', '[1/* a */,2// b\n,3]'],
    ['{"a": // b\n 1}', '{"a":// b\n1}'],
  ])('%j is minified with its comments', async (text, made) => {
    expect(await runOnText(jsonMinify, text, { comments: 'keep' })).toBe(made)
  })

  it('loses its comments and last commas if asked to, and is JSON', async () => {
    expect(await runOnText(jsonMinify, settings, { comments: 'drop' })).toBe('{"tabs":2,"rules":[1,2]}')
    expect(await runOnText(jsonFormat, '[1/*a*/,//b\n{},]', { comments: 'drop' })).toBe('[\n  1,\n  {}\n]\n')
    expect(await runOnText(jsonSortKeys, '{"b":1,/*x*/"a":2,}', { comments: 'drop', indent: 'none' })).toBe(
      '{"a":2,"b":1}\n',
    )
    expect(await runOnText(jsonQuery, settings, { comments: 'drop', path: '/rules/1' })).toBe('2\n')
    expect(await runOnText(jsonFormat, '[ // a\n]', { comments: 'drop' })).toBe('[]\n')
  })

  it('with comments anywhere is the JSON without them', async () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = seededRandom(seed)
      const text = randomJson(random)
      // Between tokens: outside of strings, where white space is or a mark.
      const commented = text.replace(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) =>
        token.startsWith('"')
          ? token
          : `${random.pick(['', '/* " */', '// [\n'])}${token}${random.pick(['', '/***/', '//\n', ' /*\n*/'])}`,
      )
      const plain = await runOnText(jsonMinify, text)
      expect(await runOnText(jsonMinify, commented, { comments: 'drop' }), commented).toBe(plain)
      for (const tool of [jsonFormat, jsonMinify]) {
        const kept = await runOnText(tool, commented, { comments: 'keep' })
        expect(await runOnText(jsonMinify, kept, { comments: 'drop' }), kept).toBe(plain)
        expect(await runOnText(tool, kept, { comments: 'keep' })).toBe(kept)
      }
      expect(
        JSON.parse(await runOnText(jsonValidate, commented, { comments: 'allow' })),
        commented,
      ).toMatchObject({ valid: true })
    }
  })

  it('keeps comments of any length that others read', async () => {
    const text = `[1, /*${'x'.repeat(60_000)}*/ 2, //${'y'.repeat(60_000)}\n3]`
    expect(await runOnText(jsonMinify, text, { comments: 'keep' })).toBe(text.replaceAll(' ', ''))
    await expect(
      runOnText(jsonFormat, `//${'z'.repeat(70_000)}`, { comments: 'drop' }),
    ).rejects.toMatchObject({ code: 'comment_too_long' })
  })

  it.each([
    ['[1 / 2]', 1, 4],
    ['[1, /* 2]', 1, 5],
    ['[1,\n/', 2, 1],
    ['[,]', 1, 2],
    ['[1,,]', 1, 4],
    ['{"a":}', 1, 6],
    ['{"a":]', 1, 6],
    ['{,}', 1, 2],
    ['[1] x', 1, 5],
    ['/*/', 1, 1],
    ['// only', 1, 8],
  ])('%j is refused', async (text, line, column) => {
    for (const comments of ['keep', 'drop'])
      await expect(runOnText(jsonFormat, text, { comments })).rejects.toMatchObject({
        code: 'json_invalid',
        position: { line, column },
      })
    expect(JSON.parse(await runOnText(jsonValidate, text, { comments: 'allow' }))).toMatchObject({
      valid: false,
    })
  })

  it.each(['// a\n1', '[1] // a', '[1, /* a */ 2]', '{"a": 1 // b\n}', '12/**/'])(
    '%j names what reads it',
    async (text) => {
      for (const tool of [jsonFormat, jsonMinify, jsonSortKeys, jsonQuery])
        await expect(runOnText(tool, text)).rejects.toMatchObject({
          message: expect.stringContaining('comments=keep or comments=drop'),
        })
    },
  )
})

describe('keys in natural order', () => {
  it.each([
    ['{"b":1,"10":1,"9":1,"a":2}', ['9', '10', 'a', 'b']],
    ['{"v1.10":1,"v1.9":1,"v1.2b":1,"v1":1}', ['v1', 'v1.2b', 'v1.9', 'v1.10']],
    ['{"a01":1,"a1":1,"a001":1,"a2":1}', ['a001', 'a01', 'a1', 'a2']],
    [
      '{"x99999999999999999999":1,"x100000000000000000000":1}',
      ['x99999999999999999999', 'x100000000000000000000'],
    ],
    ['{"\\u0031\\u0030":1,"9":1,"":1}', ['', '9', '10']],
    ['{"é2":1,"é10":1,"e":1,"-1":1,"-10":1}', ['-1', '-10', 'e', 'é2', 'é10']],
  ])('of %j', async (text, keys) => {
    const made = await runOnText(jsonSortKeys, text, { order: 'natural', indent: 'none' })
    expect([...made.matchAll(/"((?:[^"\\]|\\.)*)":/g)].map(([, key]) => JSON.parse(`"${key}"`))).toEqual(keys)
  })
})
