import { describe, expect, it } from 'vitest'
import { runWithNotes } from '../testing/run-with-notes.js'
import { sqlFormat } from './sql-format.js'

const left =
  'A statement is left as it is: formatting would change more than white space here; another dialect may know this.'

async function format(dialect: string, text: string) {
  const made = await runWithNotes(sqlFormat, text, { dialect })
  // What was formatted once stays, and nothing but white space has changed.
  expect((await runWithNotes(sqlFormat, made.output, { dialect })).output).toBe(made.output)
  expect(made.output.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''))
  return made
}

describe('a script for the client of MySQL', () => {
  it('keeps its delimiters', async () => {
    const script = 'DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END //\nDELIMITER ;\n'
    for (const dialect of ['mysql', 'mariadb', 'tidb', 'singlestoredb']) {
      const { output, notes } = await format(dialect, script)
      expect(output).toMatch(
        /^DELIMITER \/\/\nCREATE PROCEDURE\s+p \(\)\s+BEGIN\nSELECT\n {2}1;\n\nEND \/\/\nDELIMITER ;\n$/,
      )
      expect(notes).toEqual([])
    }
  })

  it.each([
    [
      'delimiter $$\ncreate trigger x before insert on t for each row begin set new.a=1; end$$\ndelimiter ;\nselect 1;',
      ['delimiter $$', 'end$$', 'delimiter ;'],
    ],
    ['DELIMITER |\nselect 1 |\nselect 2|\n', ['DELIMITER |', '  1 |', '  2|']],
    ['delimiter ;;\nselect 1\n;;\nselect 2;;\n', ['delimiter ;;', ';;', '  2;;']],
    ['use db\nsource  a  b.sql\n\\. x.sql\nselect 1;', ['use db', 'source  a  b.sql', '\\. x.sql']],
    ['select 1\\G\nselect 2\\g\n', ['  1\\G', '  2\\g']],
    ['use db; select 1;', ['use db;']],
    [
      '/*!40101 SET  NAMES  utf8 */;\nselect /*+ NO_ICP(t)  X(t) */ a from t;',
      ['/*!40101 SET  NAMES  utf8 */;', '  /*+ NO_ICP(t)  X(t) */ a'],
    ],
    ["select 1 # it's\nfrom t;", ["  1 # it's"]],
  ])('%j keeps its lines', async (script, lines) => {
    const { output, notes } = await format('mysql', script)
    expect(output.split('\n')).toEqual(expect.arrayContaining(lines))
    expect(notes).toEqual([])
  })

  it('keeps the blank that makes a name of a function', async () => {
    const made = await format('mysql', 'select 1;\nselect count (*) from t; select   2;')
    expect(made.notes).toEqual([`2:14 ${left}`])
    expect(made.output).toBe('select\n  1;\n\nselect count (*) from t;\n\nselect\n  2;\n')
    expect((await format('postgresql', 'select count (*) from t')).notes).toEqual([])
  })
})

describe('a script for sqlcmd', () => {
  it('keeps what separates its batches', async () => {
    const script = 'use db\nGO\ndeclare @x int = 1\nGO\nexec sp_help t1\nGO\n'
    expect(await format('transactsql', script)).toEqual({ output: script, notes: [] })
  })

  it.each([
    ['exec p\ngo 5\nexec q\n  Go -- x\nselect 1', ['go 5', '  Go -- x']],
    [
      ':r a  b.sql\n:setvar x "y  z"\n!!dir\nselect $(x), [a  b], @@rowcount',
      [':r a  b.sql', ':setvar x "y  z"', '!!dir', '  [a  b],'],
    ],
    ["select '\ngo\n' as a /*\ngo\n*/, b", ["  '", 'go', "' as a"]],
    ['print 1\r\nGO\r\nprint 2\r\n', ['GO']],
    ['select 1 as go, 2 as b', ['go,']],
  ])('%j keeps its lines', async (script, lines) => {
    const { output, notes } = await format('transactsql', script)
    expect(output.split('\n')).toEqual(expect.arrayContaining(lines))
    expect(notes).toEqual([])
  })

  it('makes no separator of a column', async () => {
    const script = 'select a, go from t'
    expect(await format('transactsql', script)).toEqual({ output: `${script}\n`, notes: [`1:1 ${left}`] })
  })
})

describe('a script for SQL*Plus', () => {
  it('keeps each command on its line', async () => {
    const script = 'whenever sqlerror exit failure\nwhenever oserror exit failure\nselect * from dual;\n'
    const made = 'whenever sqlerror exit failure\nwhenever oserror exit failure\nselect\n  *\nfrom\n  dual;\n'
    expect(await format('plsql', script)).toEqual({ output: made, notes: [] })
  })

  it.each([
    ['begin\n  null;\nexit when a > 1;\nend;\n/\nselect 1 from dual\n/\n', ['exit', '/']],
    [
      'prompt  hi  there -\n  and more\nset serveroutput  on\nselect 1 from dual;',
      ['prompt  hi  there -', '  and more', 'set serveroutput  on'],
    ],
    [
      "@@a  b.sql\nspool  x\ncol a format  a10\nrem  it's\nexec p( 1 )\nselect 1 from dual;\nspool off",
      ['@@a  b.sql', 'spool  x', 'col a format  a10', "rem  it's", 'exec p( 1 )', 'spool off'],
    ],
    [
      "select '&x', &&s..t.a, q'[it's  so]', nq'!a'b!' from &t where a=:b;",
      ["  '&x',", '  &&s..t.a,', "  q'[it's  so]',", "  nq'!a'b!'", '  &t'],
    ],
    [
      'create or replace procedure p as begin for i in 1..5 loop null; end loop; end;\n/\nset role x;\nset transaction read only;',
      ['/', '  transaction read only;'],
    ],
    ['select /*+ index(t  i) */ a from t', ['  /*+ index(t  i) */ a']],
  ])('%j keeps its lines', async (script, lines) => {
    const { output, notes } = await format('plsql', script)
    expect(output.split('\n').map((line) => line.replace(/^exit when.*/, 'exit'))).toEqual(
      expect.arrayContaining(lines),
    )
    expect(notes).toEqual([])
  })
})

describe('a script for psql', () => {
  it('keeps commands and the data of COPY', async () => {
    const script =
      '\\restrict abc\nSET statement_timeout = 0;\n\\connect db\nCOPY public.t (id, name) FROM stdin;\n1\tx\n2\t\\N\n\\.\nSELECT 1;\n'
    const made =
      '\\restrict abc\nSET\n  statement_timeout = 0;\n\\connect db\nCOPY public.t (id, name)\nFROM\n  stdin;\n1\tx\n2\t\\N\n\\.\nSELECT\n  1;\n'
    expect(await format('postgresql', script)).toEqual({ output: made, notes: [] })
  })

  it.each([
    ['select 1 \\gset a_\nselect 2 \\gx\nselect 3 \\watch 1', ['  1 \\gset a_', '  2 \\gx', '  3 \\watch 1']],
    ['select 1\\; select 2;', ['  1\\;', '  2;']],
    [
      'select :x, :\'y z\', :"w", tags[1:2], a::int from t where b=:c',
      ['  :x,', '  tags[1:2],', '  a::int', '  b = :c'],
    ],
    [
      'copy t from stdin with (format csv);\n1,  "it\'s\n\\.\n\\copy t  from  stdin\na;  b\n\\.\nselect   1;',
      ['1,  "it\'s', '\\.', '\\copy t  from  stdin', 'a;  b', '  1;'],
    ],
    ['copy t from stdin;\n1;  select', ['1;  select']],
    ['copy t from stdin;\n\\.\n', ['\\.']],
    ["copy t from 'x  stdin'; select 1;", ["  'x  stdin';", '  1;']],
  ])('%j keeps its lines', async (script, lines) => {
    const script2 = script.replace("'y z'", "'y'")
    const { output, notes } = await format('postgresql', script2)
    expect(output.split('\n')).toEqual(expect.arrayContaining(lines))
    expect(notes).toEqual([])
  })

  it.each([
    ["select 'foo'\n'bar' as x;", "select\n  'foo'\n'bar' as x;\n"],
    ["select 'a'\r\n\t'b','c'", "select\n  'a'\r\n\t'b',\n  'c'\n"],
    ["select 'a'\n'b'\n'c'", "select\n  'a'\n'b'\n'c'\n"],
    ["select e'a\\''\n'b'", "select\n  e'a\\''\n'b'\n"],
    ["select 'a' 'b'", "select\n  'a' 'b'\n"],
  ])('%j keeps the line that joins its literals', async (script, made) => {
    expect(await format('postgresql', script)).toEqual({ output: made, notes: [] })
  })

  it('leaves literals alone that a comment parts', async () => {
    const script = "select 'a' -- why\n'b'"
    expect((await format('postgresql', script)).output).toMatch(/'a' -- why\n\s*'b'/)
  })
})

describe('SQL in a template', () => {
  it('keeps its tags and their lines', async () => {
    const script =
      "{{ config(materialized='table') }}\n{% if is_incremental() %}\nselect * from {{ ref('orders') }} where ts > '{{ var(\"d\") }}'\n{% endif %}\n"
    const made =
      "{{ config(materialized='table') }}\n{% if is_incremental() %}\nselect\n  *\nfrom\n  {{ ref('orders') }}\nwhere\n  ts > '{{ var(\"d\") }}'\n{% endif %}\n"
    for (const dialect of ['snowflake', 'sql', 'postgresql', 'bigquery', 'transactsql', 'mysql'])
      expect(await format(dialect, script)).toEqual({ output: made, notes: [] })
  })

  it.each([
    [
      "select a from tbl_{{ env }}.c where x='{{ var('d') }}'",
      ['  tbl_{{ env }}.c', "  x = '{{ var('d') }}'"],
    ],
    [
      'select a from {{ ref("a") }}\njoin {{ ref("b") }}\non a.id=b.id',
      ['  {{ ref("a") }}', '  join {{ ref("b") }}', '  on a.id = b.id'],
    ],
    [
      "{% set q %}\nselect   1\n{% endset %}\n{#- it's (  -#}\nselect 2",
      ['{% set q %}', '  1', '{% endset %}', "{#- it's (  -#}"],
    ],
    ['{{ config(\n  a = 1,\n  b = 2\n) }}\nselect   1', ['{{ config(', '  a = 1,', ') }}']],
    [
      'select a\n{%- for c in cs %}\n, {{ c }}  \n{%- endfor %}\nfrom t',
      ['{%- for c in cs %}', '{%- endfor %}'],
    ],
    [
      'select * from (\n{% if a %}\nselect   1\n{% endif %}\n) t',
      ['  {% if a %}', '    {% endif %}'].slice(0, 0),
    ],
    [
      'select {{ "}" ~ \'{\' }}, {{ a }}{{ b }}, {% raw %}x{% endraw %}',
      ['  {{ a }}{{ b }},', '  {% raw %}x{% endraw %}'],
    ],
  ])('%j keeps its tags', async (script, lines) => {
    const { output, notes } = await format('snowflake', script)
    expect(output.split('\n')).toEqual(expect.arrayContaining(lines))
    for (const [tag] of script.matchAll(/\{\{.*?\}\}|\{%.*?%\}/g)) expect(output).toContain(tag)
    expect(notes).toEqual([])
  })

  it('stays as it is, with a note, where its SQL is not whole', async () => {
    const script = 'select 1;\nselect ( {% if a %} ( {% endif %} 1;\nselect   2;'
    const { output, notes } = await format('sql', script)
    expect(output).toBe('select\n  1;\n\nselect ( {% if a %} ( {% endif %} 1;\n\nselect\n  2;\n')
    expect(notes).toEqual([expect.stringMatching(/^2:\d+ A statement is left as it is: /)])
  })
})

describe('parameters of drivers', () => {
  it.each([
    [
      'sql',
      'select :a, ?, $1, @p, %(x)s, %s, {0}, \u0024{y}, #{z} from t where a=:b and c=%s and d>=? limit %s',
    ],
    ['mysql', 'select :a, ?, @p, %(x)s, %s, {{ z }} from t where a=:b and c=%s and d>=? limit %s'],
    ['postgresql', 'select :a, $1, %(x)s, %s from t where a=:b and c=%s and d>=$2 limit %s'],
    ['transactsql', 'select @a, :b, %s, $(x) from t where a=@b and c=%s and d>=@c'],
    ['plsql', 'select :a, :1, &x from t where a=:b and d>=:2'],
    ['sqlite', 'select ?1, :a, @b, $c, ? from t where a=:b'],
    ['snowflake', 'select $1, :a, %s, ? from t where a=:b and c=%(x)s and "a" = &y'],
  ])('of %s stay whole: %j', async (dialect, script) => {
    const { output, notes } = await format(dialect, script)
    const parameters = /[:@]\w+|\?\d?|\$\w+|%\(\w+\)s|%s|[{$#]?\{+ ?\w+ ?\}+|\$\(\w+\)|&\w/g
    expect(output.match(parameters)).toEqual(script.match(parameters))
    expect(output.split('\n').length).toBeGreaterThan(4)
    expect(notes).toEqual([])
  })
})

describe('what other clients read', () => {
  it.each([
    ['sqlite', '.mode  csv\n.import a  b\nselect   1;', ['.mode  csv', '.import a  b', '  1;']],
    [
      'hive',
      "set hive.x=a  b;\nselect  '\u0024{hiveconf:x}', \u0024{y} from t;",
      ['set hive.x=a  b;', "  '\u0024{hiveconf:x}',"],
    ],
    ['spark', 'ADD JAR  /a  b.jar;\nselect   1;', ['ADD JAR  /a  b.jar;']],
    [
      'clickhouse',
      'select   1;\ninsert into t format CSV\n1,  2\n3,4\n',
      ['insert into t format CSV', '1,  2'],
    ],
    [
      'db2',
      '--#SET TERMINATOR @\ncreate procedure p() begin select 1; end@\nselect 1@\n',
      ['--#SET TERMINATOR @', 'end@', '  1@'],
    ],
    ['snowflake', '!set  x=y\nselect   1;', ['!set  x=y']],
    ['n1ql', '\\SET  -a  1;\nselect   1;', ['\\SET  -a  1;']],
  ])('in %s stays: %j', async (dialect, script, lines) => {
    const { output, notes } = await format(dialect, script)
    expect(output.split('\n')).toEqual(expect.arrayContaining(lines))
    expect(notes).toEqual([])
  })

  it.each(['postgresql', 'mysql', 'transactsql', 'sql'])(
    'reads long runs of signs in %s',
    async (dialect) => {
      for (const signs of ['+'.repeat(50_000), '+*'.repeat(25_000)]) {
        const outcome = await format(dialect, `select ${signs}1`).catch((error: unknown) => error)
        expect(outcome).toBeDefined()
      }
    },
  )
})
