import { gzipSync } from 'node:zlib'
import type { ToolDescription } from '#engine/tools/tool.js'

/** Input that makes a tool take or make far more than it weighs. */
export interface HostileInput {
  readonly name: string
  readonly body: Buffer
  readonly gzip?: boolean
}

const depth = 511
const many = 12_000
const wide = '中'

const input = (name: string, text: string | Buffer): HostileInput => ({
  name,
  body: Buffer.from(text as string),
})
const zipped = (name: string, text: string | Buffer): HostileInput => ({
  name,
  body: gzipSync(Buffer.from(text as string)),
  gzip: true,
})
const list = (count: number, item: (index: number) => string, join = ','): string =>
  Array.from({ length: count }, (_, index) => item(index)).join(join)

/** Bytes for which no format is to blame. */
const ofAny: readonly HostileInput[] = [
  zipped('5 MB of U+0001 and one wide character', `[${'\u0001'.repeat(1_700_000)}${wide}`),
  zipped('one line of 1.6 MB of wide characters', wide.repeat(530_000)),
  zipped('only line ends', '\n'.repeat(1_700_000)),
  zipped('only quotes', '"'.repeat(1_700_000)),
  zipped('only backslashes', '\\'.repeat(1_700_001)),
  input('bytes that are not UTF-8', Buffer.alloc(200_000, 0xff)),
  input('NULs', Buffer.alloc(200_000)),
  input('nothing but opening brackets', '[{<('.repeat(50_000)),
]

const ofJson: readonly HostileInput[] = [
  input(
    'arrays as deep as they may be, many times',
    `[${list(400, () => '['.repeat(500) + ']'.repeat(500))}]`,
  ),
  input(
    'many values at the deepest level',
    `${'['.repeat(depth)}"${wide}",${list(many, () => '1')}${']'.repeat(depth)}`,
  ),
  input(
    'long keys on each level',
    `${list(400, () => `{"${wide.repeat(61)}":`, '')}[${list(1_000, () => '1')}]${'}'.repeat(400)}`,
  ),
  input('each row with a column of its own', `[${list(many, (index) => `{"k${index}":1}`)}]`),
  input('columns named in turn', `[${list(many, (index) => `{"k${index % 4_096}":1}`)}]`),
  input('one key many times', `{${list(many, () => '"a":1')}}`),
  input('a number of 200,000 digits', `[${'9'.repeat(200_000)}]`),
  input('escapes of lone surrogates', `["${'\\ud800'.repeat(40_000)}"]`),
  input('a string of control characters', `["${'\\u0001'.repeat(40_000)}${wide}"]`),
  input(
    'a type for each item',
    `[${list(4_000, (index) => `{"a${index}":{"b":[${index},"x",null,true]}}`)}]`,
  ),
]

const ofXml: readonly HostileInput[] = [
  input(
    '10,000 elements at level 511',
    `${'<a>'.repeat(depth)}<b>${wide}</b>${'<b/>'.repeat(10_000)}${'</a>'.repeat(depth)}`,
  ),
  input(
    '13,000 elements at level 400',
    `${'<a>'.repeat(400)}${wide}${'<b/>'.repeat(13_000)}${'</a>'.repeat(400)}`,
  ),
  input('as many attributes as fit', `<a ${list(many, (index) => `a${index}="${wide}"`, ' ')}/>`),
  input('a comment of 200,000 dashes', `<a><!--${'- '.repeat(100_000)}--></a>`),
  input('CDATA of brackets', `<a><![CDATA[${']]'.repeat(100_000)}]]></a>`),
  input(
    'entities in entities',
    `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(1_000)}">]><a>${'&x;'.repeat(50_000)}</a>`,
  ),
  input('a name for each element', `<r>${list(many, (index) => `<e${index}/>`, '')}</r>`),
  input('one element that never ends', `<a ${'b'.repeat(200_000)}`),
  input('character references', `<a>${'&#x4e2d;'.repeat(25_000)}</a>`),
  input('mixed text and elements', `<a>${`${wide}<b/>`.repeat(25_000)}</a>`),
]

const ofYaml: readonly HostileInput[] = [
  input(
    'aliases of aliases',
    `a0: &a0 [${list(20, () => 'x')}]\n${list(20, (index) => `a${index + 1}: &a${index + 1} [${list(20, () => `*a${index}`)}]`, '\n')}`,
  ),
  input('many aliases', `a: &a [${list(200, () => wide)}]\nb: [${list(many, () => '*a')}]`),
  input(
    'indented ever deeper',
    list(400, (index) => `${' '.repeat(index)}a:`, '\n'),
  ),
  input('one flow list as deep as it may be', '['.repeat(depth) + ']'.repeat(depth)),
  input('documents without end', '---\na: 1\n'.repeat(20_000)),
  input('long plain text', `a: ${`${wide} `.repeat(50_000)}`),
  input('long keys', `? ${'x'.repeat(100_000)}\n: 1`),
  input('a block of blank lines', `a: |\n${'\n'.repeat(200_000)}`),
  input(
    'anchors and tags',
    list(many, (index) => `- &a${index} !!str x`, '\n'),
  ),
  input('a long prefix of many tags', `%TAG ! ${'x'.repeat(100_000)}\n---\n${'- !a b\n'.repeat(10_000)}`),
  input('merge keys', `a: &a {b: 1}\n${list(many, (index) => `c${index}: {<<: *a}`, '\n')}`),
]

const ofCsv: readonly HostileInput[] = [
  input('200,000 columns', `${','.repeat(200_000)}\n${','.repeat(200_000)}`),
  input(
    'many rows of a long header',
    `${list(200, (index) => `${wide.repeat(200)}${index}`)}\n${list(300, () => ','.repeat(199), '\n')}`,
  ),
  input('a cell that never closes', `a\n"${wide.repeat(60_000)}`),
  input('only separators', ',;|\t'.repeat(50_000)),
  input('quotes of quotes', `a\n${'""""""'.repeat(30_000)}`),
  input(
    'rows of all lengths',
    list(600, (index) => ','.repeat(index), '\n'),
  ),
  input('one empty row after the other', 'a,b\n'.repeat(50_000)),
  input('numbers of many digits', `a\n${list(2_000, () => '9'.repeat(99), '\n')}`),
  input('carriage returns', 'a\r'.repeat(100_000)),
  input('the same column many times', `${list(many, () => 'a')}\n${list(many, () => '1')}`),
]

const ofSql: readonly HostileInput[] = [
  input('brackets in brackets', `select ${'('.repeat(2_000)}1${')'.repeat(2_000)}`),
  input('a list in brackets', `select ${'f(['.repeat(150)}${list(20_000, () => 'a')}${'])'.repeat(150)}`),
  input('a long list', `select * from t where a in (${list(20_000, (index) => String(index))})`),
  input('nested cases', `select ${'case when a then '.repeat(500)}1${' end'.repeat(500)}`),
  input('joins', `select * from t ${'join t on a=b '.repeat(5_000)}`),
  input('a string without end', `select '${wide.repeat(60_000)}`),
  input('comments', '/* a */ -- b\n'.repeat(10_000)),
  input('many statements', 'select 1;'.repeat(10_000)),
  input(
    'unions',
    list(3_000, () => 'select a,b', ' union all '),
  ),
  input('operators', `select ${'- '.repeat(50_000)}1`),
  input('identifiers', `select ${list(20_000, (index) => `"${wide}${index}"`)} from t`),
]

const ofText: readonly HostileInput[] = [
  input('base64 of zeros', 'A'.repeat(240_000)),
  input('base64 with line ends', 'AAAA\r\n'.repeat(40_000)),
  input('padding', '='.repeat(200_000)),
  input('percent signs', '%'.repeat(200_000)),
  input('escaped bytes', '%E4%B8%AD'.repeat(25_000)),
  input('plus signs', '+'.repeat(200_000)),
  input('a token of dots', '.'.repeat(200_000)),
  input(
    'a token with a long header',
    `${Buffer.from(`{"a":"${'x'.repeat(90_000)}"}`).toString('base64url')}.e30.x`,
  ),
  input('wide characters', wide.repeat(60_000)),
  input('pairs of surrogates', '😀'.repeat(50_000)),
]

const byKind: Readonly<Record<ToolDescription['input']['kind'], readonly HostileInput[]>> = {
  json: ofJson,
  ndjson: ofJson,
  csv: ofCsv,
  xml: ofXml,
  yaml: ofYaml,
  sql: ofSql,
  jwt: ofText,
  text: ofText,
}

/** What is sent to a tool: ten shapes of its format, and bytes of any. */
export function hostileInputsOf({ name, input: { kind } }: ToolDescription): readonly HostileInput[] {
  return [...(name === 'json-repair' ? ofJson : byKind[kind]), ...ofAny]
}

/** The options with which a tool makes most of its input. */
export const worstOptions: Readonly<Record<string, string>> = {
  'json-format': 'indent=8',
  'json-sort-keys': 'indent=8',
  'json-query': `path=${encodeURIComponent('$..[?search(@,"(a+)+b")]')}`,
  'json-to-csv': 'nested=pointers',
  'json-to-xml': 'indent=8',
  'json-to-yaml': 'indent=8',
  'xml-format': 'indent=8',
  'xml-to-json': 'indent=8',
  'yaml-format': 'indent=8',
  'yaml-to-json': 'indent=8',
  'ndjson-to-json': 'indent=8',
}

const nested = (levels: number, key: string, value: string): string =>
  `${`{"${key}":`.repeat(levels)}[${list(1_000, () => value)}]${'}'.repeat(levels)}`
const lines = (count: number, line: (index: number) => string): string =>
  JSON.stringify({ text: list(count, line, '\n') })
const longColumn = (value: number): string =>
  JSON.stringify({ csv: `id,${wide.repeat(90_000)}\n${list(1_000, (id) => `${id},${value}\n`, '')}` })

/** Pairs of documents whose comparison takes or makes far more than they weigh. */
export const hostilePairs: readonly { readonly name: string; readonly a: string; readonly b: string }[] = [
  {
    name: 'wide keys on 400 levels',
    a: nested(400, wide.repeat(61), '1'),
    b: nested(400, wide.repeat(61), '2'),
  },
  {
    name: 'long keys on 400 levels',
    a: nested(400, 'k'.repeat(104), '1'),
    b: nested(400, 'k'.repeat(104), '2'),
  },
  { name: 'keys of escapes', a: nested(300, '~/'.repeat(50), '1'), b: nested(300, '~/'.repeat(50), '2') },
  {
    name: 'all lines differ',
    a: lines(60_000, (index) => `a${index}`),
    b: lines(60_000, (index) => `b${index}`),
  },
  {
    name: 'every other line differs',
    a: lines(50_000, String),
    b: lines(50_000, (index) => String(index * 2)),
  },
  {
    name: 'arrays 400 deep',
    a: `{"a":${'['.repeat(400)}1${']'.repeat(400)}}`,
    b: `{"a":${'['.repeat(400)}2${']'.repeat(400)}}`,
  },
  {
    name: 'values that are all the same',
    a: `{"a":[${list(60_000, () => '1')}]}`,
    b: `{"a":[${list(59_000, () => '1')},2]}`,
  },
  {
    name: 'records with keys in reverse order',
    a: `{"a":[${list(8_000, (index) => `{"id":${index},"v":1}`)}]}`,
    b: `{"a":[${list(8_000, (index) => `{"id":${8_000 - index},"v":2}`)}]}`,
  },
  {
    name: 'other keys everywhere',
    a: `{${list(20_000, (index) => `"a${index}":1`)}}`,
    b: `{${list(20_000, (index) => `"b${index}":1`)}}`,
  },
  {
    name: 'tables of many columns',
    a: lines(30, () => ','.repeat(5_000)),
    b: lines(30, () => 'x,'.repeat(5_000)),
  },
  { name: 'a long name of a column, in a thousand changes', a: longColumn(1), b: longColumn(2) },
  {
    name: 'one long line',
    a: JSON.stringify({ text: wide.repeat(200_000) }),
    b: JSON.stringify({ text: `${wide.repeat(200_000)}x` }),
  },
  {
    name: 'large values that are replaced',
    a: `{"a":"${wide.repeat(200_000)}"}`,
    b: `{"a":${list(1, () => `["${wide.repeat(200_000)}"]`)}}`,
  },
  {
    name: 'a patch of small changes',
    a: `{"a":[${list(20_000, (index) => `{"id":${index},"x":${index}}`)}]}`,
    b: `{"a":[${list(20_000, (index) => `{"id":${index},"x":-${index}}`)}]}`,
  },
]
