import { mysql, postgresql } from 'sql-formatter'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { runOnText } from '../testing/run-tool.js'
import { firstChange } from './first-change.js'
import { sqlFormat } from './sql-format.js'
import { languageOf } from './sql-language.js'

const tokens = [
  ...[
    'select',
    'FROM',
    'where',
    'and',
    'insert into',
    'values',
    'case',
    'when',
    'end',
    'x',
    't.id',
    '"a  b"',
  ],
  ...['12345678901234567890', '1.50', '.5e3', "'it''s  no'", '(', ')', ',', ';', '=', '<>', '||', '-', '*'],
  ...['-- to the end\n', '/* two\n  lines */', "N'x'"],
]

const nested = (depth: number, items: number): string =>
  '('.repeat(depth) + Array(items).fill('a').join(',') + ')'.repeat(depth)

describe('formatting SQL', () => {
  it('changes only white space, whatever the tokens are', async () => {
    let made = 0
    for (let seed = 0; seed < 300; seed += 1) {
      const random = seededRandom(seed)
      const text = Array.from({ length: random.below(30) }, () => random.pick(tokens)).join(' ')
      const formatted = await runOnText(sqlFormat, text, { keyword_case: 'preserve' }).catch(() => null)
      if (formatted === null) continue
      made += 1
      expect(formatted.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''))
      // Strings and quoted names are compared with their white space.
      const quoted = /'[^']*'|"[^"]*"/g
      const uncommented = (sql: string): string => sql.replace(/--.*|\/\*[^*]*\*\//g, '')
      expect(uncommented(formatted).match(quoted)).toEqual(uncommented(text).match(quoted))
    }
    expect(made).toBeGreaterThan(100)
  })

  it('writes keywords as asked, and nothing else', async () => {
    const made = await runOnText(sqlFormat, `select Id, 'select' from "Select"`, { keyword_case: 'upper' })
    expect(made).toBe(`SELECT\n  Id,\n  'select'\nFROM\n  "Select"\n`)
  })

  it.each([
    ['select [a] from t', {}, 'sql_invalid', 8],
    ['select 1)', {}, 'sql_invalid', 9],
    ['select (1 \n\n', {}, 'sql_invalid', 10],
    ['case when a then b', {}, 'sql_invalid', 19],
    ['.,', {}, 'sql_invalid', 1],
    ['\\.', { dialect: 'postgresql' }, 'sql_invalid', 1],
    ['\\N\t1', { dialect: 'postgresql' }, 'sql_invalid', 1],
    ['\\set x 1', {}, 'sql_invalid', 1],
    [`select ${'('.repeat(201)}`, {}, 'sql_too_deep', undefined],
    [' '.repeat(524_289), {}, 'input_too_large', undefined],
    [`select ${nested(199, 8_000)}`, { indent: '8' }, 'input_too_large', undefined],
    [`select ${'('.repeat(199)}/*${'\n'.repeat(20_000)}*/1`, {}, 'input_too_large', undefined],
    ['select {{ a', {}, 'sql_invalid', 8],
    [
      'create rule r as on insert to t do also (select 1;select 2)',
      { dialect: 'postgresql' },
      'sql_invalid',
      50,
    ],
  ])('%.40j is refused with its position', async (text, options, code, column) => {
    const failure: unknown = await runOnText(sqlFormat, text, options).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code, position: column === undefined ? null : { line: 1, column } })
  })
})

describe('a script for psql', () => {
  const format = (text: string) => runOnText(sqlFormat, text, { dialect: 'postgresql' })

  it('keeps the lines of its commands as they are', async () => {
    const script = `-- a dump
\\restrict  it's

  \\set  x "a
SELECT  x, $$
\\set  y 'b'
$$, '
\\echo  c' /*
\\d  */
\\gset
select 2;`
    const made = `-- a dump
\\restrict  it's
  \\set  x "a
SELECT
  x,
  $$
\\set  y 'b'
$$,
  '
\\echo  c'
  /*
  \\d  */
\\gset
select
  2;
`
    expect(await format(script)).toBe(made)
    expect(await format(made)).toBe(made)
  })

  it('says where a mistake is after them', async () => {
    await expect(format('\\set x 1\nselect (:x\n\\gset\n')).rejects.toMatchObject({
      message: expect.stringContaining('ends before it is complete'),
      position: { line: 2, column: 11 },
    })
  })
})

describe('the first change', () => {
  it.each([
    ["select 'a  b'", "select 'a b'", 7],
    ['a <= b', 'a < = b', 2],
    ['a b', 'ab', 0],
    ['- -1', '--1', 0],
    ["select N'x'", "select N 'x'", 8],
    ['1.5', '1. 5', 0],
    ['select 1', 'select 1;', 8],
    ['select 1;', 'select 1', 8],
    ['SELECT a', 'select a', 0],
    ["'\\' '", "'\\'  '", 0],
    ["'a'\n'b'", "'a' 'b'", 4],
    ["'a' 'b'", "'a'\n'b'", 4],
    ["'a' 'b'", "'a''b'", 0],
    ['a<->b', 'a < -> b', 1],
    [':x', ': x', 0],
    ['a[1:n]', 'a[1: n]', 4],
    ['/*+ a  b */ c', '/*+ a b */ c', 0],
    ['$x$  $x$', '$x$ $x$', 0],
  ])('of %j to %j is found', (text, formatted, index) => {
    const language = text.includes('\\') ? languageOf('mysql', mysql) : languageOf('postgresql', postgresql)
    expect(firstChange(text, formatted, language, false)).toBe(index)
  })

  it.each([
    ["select'x',a=-1", "select 'x',\n  a = -1"],
    ['f (x) -- why\n;', 'f(x) -- why\n;'],
    ['select $$a  b$$', 'select\n  $$a  b$$'],
  ])('of %j to %j is none', (text, formatted) => {
    expect(firstChange(text, formatted, languageOf('postgresql', postgresql), false)).toBeNull()
  })
})
