import { describe, expect, it } from 'vitest'
import { detectKind } from './detect-kind.js'
import { type KindContent, partText } from './kind-content.js'

const detect = (text: string, name = 'anything', tool = 'tool'): Promise<KindContent> =>
  detectKind(partText(new TextEncoder().encode(text)), name, tool)

const base64url = (json: string): string => Buffer.from(json).toString('base64url')
const jwt = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url('{"sub":"1","exp":1700000000}')}.c2lnbmF0dXJl`
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the content of a text', () => {
  it.each([
    ['json', '{"a":1}'],
    ['json', ' [1, 2]\n'],
    ['json', '\ufeff{"a":1}'],
    ['json', JSON.stringify('{"a":1}')],
    ['json', JSON.stringify(JSON.stringify('[1]'))],
    ['jsonc', '// settings\n{\n  "a": 1, /* one */\n  "b": [2,],\n}\n'],
    ['jsonc', '\ufeff{"a":1,}'],
    ['json5', '{a: 1, \'b\': "x", c: [+1, .5, 5., 0x1F,], /* c */}'],
    ['json5', "// c\n[{$a_1: -Infinity, \"b\": 'it\\'s \\\nlong'}]"],
    ['ndjson', '{"a":1}\n{"a":2}\n'],
    ['ndjson', '[1]\n\n[2]'],
    ['csv', 'a,b\n1,2\n3,4'],
    ['csv', 'a;b\n1;2'],
    ['csv', 'a\tb\n1\t2'],
    ['csv', 'a|b\n1|2'],
    ['csv', ',a,b\n0,1,2\n1,3,4'],
    ['xml', '<?xml version="1.0"?>\n<a><b/></a>'],
    ['xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['html', '<!DOCTYPE html><html><body><p>One<br>two</body></html>'],
    ['html', '<div class="a"><p>text</p></div>'],
    ['yaml', 'name: x\nversion: 1.0\nitems:\n  - a\n  - b\n'],
    ['yaml', '---\na: x\n---\na: y\n'],
    ['yaml', '- name: a\n  run: b\n- name: c\n  run: |\n    more\n'],
    ['yaml', '# comment\nimage: "x"\nports:\n- "80:80"\n'],
    ['toml', 'title = "x"\n[owner]\nname = "y"\n'],
    ['toml', '# comment\n[[items]]\na.b = 1\n'],
    ['markdown', '# Title\n\nSome text.\n'],
    ['markdown', 'Some **bold** text and a [link](https://example.com).\n'],
    ['markdown', 'Title\n=====\n\n- one\n- two\n'],
    ['sql', 'SELECT a, b\nFROM t\nWHERE c = 1'],
    ['sql', '-- comment\nCREATE TABLE t (a int, b text);'],
    ['sql', 'with x as (select 1) select * from x'],
    ['sql', 'GRANT SELECT ON t TO reader;\nDROP TRIGGER x ON t;'],
    ['patch', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'],
    ['patch', 'diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n'],
    ['jwt', jwt],
    ['jwt', `Authorization: bearer ${jwt}\n`],
    ['jwt', `${base64url('{"typ":"JWT"}')}.${base64url('{}')}.`],
    ['image', png],
    ['image', `data:image/png;base64,${png}`],
  ])('%s: %j', async (kind, text) => {
    expect((await detect(text)).kind).toBe(kind)
  })

  it.each([
    '',
    ' \n',
    'One line, with commas, as people write.',
    'First, there is this.\nThen, there is that.',
    'Dear John,\nThanks,',
    'Note: this is prose.',
    'Note: this is prose.\nWarning: so is this.',
    'key: value',
    '42',
    'true',
    '"a string"',
    '{"a":1',
    '{not: json}',
    '{"a": True}',
    "{'a': 1 'b': 2}",
    '{,}',
    '[1,,2]',
    '[,]',
    '{a: 1,, }',
    '{a}',
    "{'a': '\\1'}",
    // No mark between two tokens.
    '[1 2]',
    '[1\n2]',
    '[1/* */2]',
    '{"x":12 345}',
    '{"x":[1 .5]}',
    '{a:-1 0e3}',
    '[tr ue]',
    '[nu\nll]',
    '[1 e5]',
    '{a b: 1}',
    "['a' 'b']",
    '{"a":1}\n{"b":2}\nERROR bad line\n{"c":3}\n',
    '// no JSON\nlet a = {}',
    '[section] text',
    '{{ .Values.a }}',
    '{"a":1}\n{"b"',
    'a < b and c > d',
    'I <3 you\nand you <3 me',
    '<not closed',
    'a = b',
    'x = y\nz = w',
    'Select a seat from the map.',
    'Update your profile, set a name.',
    '- a dash',
    '--- \n+++ ',
    'eyJ.eyJ.x',
    'aGVsbG8gd29ybGQ=',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;base64,AAAA',
    '#!/bin/sh\necho "a"\n',
    'a,b\n1,2\n3,4,5,6\n7\nand now prose, with commas, goes on',
    `a,b\n${'1,2\n'.repeat(30)}${'nothing of the kind\n'.repeat(30)}`,
    '1,2',
    'https://example.com/?a=1&b=2',
    // A program is not Markdown, whatever its comments hold.
    '/** - one\n * - two `x` */\nimport a from "a"\n\nexport const b = (c: string): string => {\n  return c.trim()\n}\n',
    '# Title\n\nimport os\n\n# - a\n# - b `c`\ndef f(x):\n    return x\n\nprint(f(1))\n',
    'FROM node:20\n# one\n\n# two `x`\n- a\n- b\nRUN npm ci\nCMD ["node"]\n',
    'Error: x\n    at f (file.js:1:2)\n    at g (file.js:3:4)',
  ])('text: %j', async (text) => {
    expect((await detect(text)).kind).toBe('text')
  })
})

it('configuration after thousands of comments and empty lines is detected quickly', async () => {
  const comments = '# NAME=value\n \t \n\n'.repeat(20_000)
  expect((await detect(`${comments}NAME=some value\n`)).kind).toBe('text')
  expect((await detect(`${comments}NAME = 1\n`)).kind).toBe('toml')
})

describe('names', () => {
  it.each([
    ['csv', 'csv', 'tool', 'one column\n1'],
    ['yaml', 'values.yaml', 'tool', 'key: value'],
    ['markdown', 'README.md', 'tool', 'plain'],
    ['sql', 'query.sql', 'tool', 'vacuum'],
    ['csv', 'output', 'json-to-csv', 'one column\n1'],
    ['json', 'input', 'json-to-csv', '[1]'],
    ['sql', 'output', 'sql-formatter', 'vacuum'],
    ['html', 'html', 'tool', '<p>text'],
    ['json', 'csv', 'tool', ' '],
  ])('%s, by the member %s of %s', async (kind, name, tool, text) => {
    expect((await detect(text === ' ' ? '{"a":1}' : text, text === ' ' ? 'yml.json' : name, tool)).kind).toBe(
      kind,
    )
  })

  it.each([
    ['json', '{"a":', 'text'],
    ['json', 'a,b\n1,2', 'csv'],
    ['json', '{"a":1} // one', 'jsonc'],
    ['json', '{a:1}', 'json5'],
    ['yaml', 'a: [', 'text'],
    ['xml', 'no markup', 'text'],
    ['xml', '<x><y></x>', 'text'],
    ['jwt', 'no token', 'text'],
    ['image', 'no picture', 'text'],
    ['options', '{"a":1}', 'json'],
  ])('the name %s is passed over for %j', async (name, text, kind) => {
    expect((await detect(text, name)).kind).toBe(kind)
  })
})

it('an image is measured before it is drawn, and one with too many pixels is not drawn', async () => {
  expect((await detect(png)).picture).toMatchObject({
    type: 'image/png',
    width: 1,
    height: 1,
    url: `data:image/png;base64,${png.replace(/=+$/, '')}`,
  })
  const bytes = Buffer.from(png, 'base64')
  bytes.writeUInt32BE(60_000, 16)
  bytes.writeUInt32BE(60_000, 20)
  expect((await detect(bytes.toString('base64'))).picture).toMatchObject({
    width: 60_000,
    height: 60_000,
    url: null,
  })
})

it('an image whose frame is larger than its screen has the size of the frame', async () => {
  const bytes = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')
  expect((await detect(bytes.toString('base64'))).picture).toMatchObject({ width: 1, height: 1 })
  bytes.writeUInt16LE(60_000, bytes.indexOf(0x2c) + 5)
  bytes.writeUInt16LE(50_000, bytes.indexOf(0x2c) + 7)
  expect((await detect(bytes.toString('base64'))).picture).toMatchObject({
    width: 60_000,
    height: 50_000,
    url: null,
  })
})

it('SQL is formatted, unless the formatter would change the text', async () => {
  const { formatted } = await detect('select a,b from t where c=1.50', 'sql')
  expect(new TextDecoder().decode(formatted?.())).toBe('select\n  a,\n  b\nfrom\n  t\nwhere\n  c = 1.50\n')
  expect((await detect("select 'unclosed", 'sql')).formatted).toBeNull()
})

it('a large text is of no kind that it cannot be', async () => {
  expect((await detect(`a,b\n${'1,2\n'.repeat(7_000_000)}`)).kind).toBe('csv')
  expect((await detect('{"a":1}\n'.repeat(700_000))).kind).toBe('ndjson')
  expect((await detect(`{"a":1,${' '.repeat(5_000_000)}b}`)).kind).toBe('text')
  expect((await detect('all of it is prose. '.repeat(100_000))).kind).toBe('text')
})

it.each([
  ['a word', 'a', ''],
  ['an image with endless parameters', ';', 'data:image/png'],
  ['white space', ' ', ''],
  ['white space in a tag', ' ', '<p'],
  ['white space after a tag', ' ', '<p></p>'],
  ['white space after a scheme', ' ', 'Bearer'],
  ['white space after the name of a header', ' ', 'Authorization:'],
  ['dots', '.', 'aaaa'],
  ['a comment', 'a', '/*'],
  ['a name', 'a', '<'],
  ['a string', 'a', '{"'],
  ['lines', '\n', '# '],
])('a text of twenty million characters is read: %s', async (_name, unit, begin) => {
  expect((await detect(`${begin}${unit.repeat(20_000_000)}x`)).kind).toBe('text')
})

it('a text too large for its kind says so', async () => {
  const tooLarge = { isTooLarge: true, tree: null }
  expect(await detect(`a: ${'x'.repeat(1_100_000)}`, 'yaml')).toMatchObject({ kind: 'yaml', ...tooLarge })
  const json5 = `[${'+1,'.repeat(350_000)}]`
  expect(await detect(json5, 'json5')).toMatchObject({ kind: 'json5', ...tooLarge })
  expect((await detect(json5)).kind).toBe('text')
})
