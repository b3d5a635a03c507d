import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '#engine/compare/compare.js'
import { CompareError } from '#engine/compare/comparison.js'
import { csvTables } from '#engine/compare/table/csv-tables.js'
import { CsvError } from '#engine/csv/csv-error.js'
import { cellText } from '#engine/csv/csv-records.js'
import { findSeparator, oneColumn } from '#engine/csv/find-separator.js'
import { csvFormat } from '#engine/tools/csv/csv-format.js'
import { csvToJson } from '#engine/tools/csv/csv-to-json.js'
import { runTool } from '#engine/tools/testing/run-tool.js'
import { ToolInputError } from '#engine/tools/tool.js'
import { corpusFolder } from '#libs/testing/corpora.js'
import { cutEvery } from '#libs/testing/cut.js'
import { createRowLocator } from './row-locator.js'

type Cells = readonly (readonly string[])[]

const mark = '\ufeff'

/** Each text with the cells (`¦`) of its records (`⏎`), the first of which is the header. */
const tables: readonly (readonly [text: string, cells: string])[] = [
  ['a,b\n1,2\n', 'a¦b⏎1¦2'],
  ['a,b\n1,2', 'a¦b⏎1¦2'],
  ['a,b\r\n1,2\r\n', 'a¦b⏎1¦2'],
  ['a,b\r1,2\r', 'a¦b⏎1¦2'],
  ['a,b\r\n\r\n1,2\r\n\r\n\r\n', 'a¦b⏎1¦2'],
  ['\n\na,b\n\n\n1,2\n\n', 'a¦b⏎1¦2'],
  ['a,b\n\r1,2\r\r\n3,4\n', 'a¦b⏎1¦2⏎3¦4'],
  ['a\n1\n\n2\n', 'a⏎1⏎2'],
  ['a\n""\n\n2\n', 'a⏎⏎2'],
  ['a\n \n2\n', 'a⏎ ⏎2'],
  ['id,meaning\n1,sleep\n2,cook\n', 'id¦meaning⏎1¦sleep⏎2¦cook'],
  ['a,b\n', 'a¦b'],
  ['a', 'a'],
  ['', ''],
  ['\n', ''],
  ['\r\n\r\n', ''],
  ['a,b\n"1","2"\n', 'a¦b⏎1¦2'],
  ['"a\nb",c\n1,2\n', 'a\nb¦c⏎1¦2'],
  ['a,b\n"x\r\ny","p\rq"\n3,4\n', 'a¦b⏎x\r\ny¦p\rq⏎3¦4'],
  ['a,b\n"\n\n",2\n', 'a¦b⏎\n\n¦2'],
  ['a,b\n"x","y\n"', 'a¦b⏎x¦y\n'],
  ['a,b\n"say ""hi""",""""\n', 'a¦b⏎say "hi"¦"'],
  ['a,b\n"","""x"\n', 'a¦b⏎¦"x'],
  ['a,b\n"""\n""",2\n', 'a¦b⏎"\n"¦2'],
  ['size,n\n5" pipe,1\n6",2\n', 'size¦n⏎5" pipe¦1⏎6"¦2'],
  ['a,b\nx "y" z,it"s\n', 'a¦b⏎x "y" z¦it"s'],
  ['Foo,"Bar, Baz","Spam, Baz",Some\n1,2,3,4\n', 'Foo¦Bar, Baz¦Spam, Baz¦Some⏎1¦2¦3¦4'],
  ['a,b\nx;"y,2\n3,4\n', 'a¦b⏎x;"y¦2⏎3¦4'],
  ['a|b\nx,"y|2\n3|4\n', 'a¦b⏎x,"y¦2⏎3¦4'],
  ['"only"\n"one, two"\n', 'only⏎one, two'],
  ['a , b\n 1,2 \n', 'a ¦ b⏎ 1¦2 '],
  ['a,b\n\t1, \n', 'a¦b⏎\t1¦ '],
  ['a;b\n1;2\n', 'a¦b⏎1¦2'],
  ['a\tb\n1\t2\n', 'a¦b⏎1¦2'],
  ['a|b\n1|2\n', 'a¦b⏎1¦2'],
  ['n;v\nx;1,5\ny;2,5\n', 'n¦v⏎x¦1,5⏎y¦2,5'],
  ['n;v;w\nx;1.234,50;3,1\n', 'n¦v¦w⏎x¦1.234,50¦3,1'],
  ['id\ttext\n1\tHello, you; there\n2\tHi\n', 'id¦text⏎1¦Hello, you; there⏎2¦Hi'],
  ['id,tags\n1,x;y\n2,z|w\n', 'id¦tags⏎1¦x;y⏎2¦z|w'],
  ['a,"b;c"\n1,"2;3"\n', 'a¦b;c⏎1¦2;3'],
  ['a;b;c\n1\n2;3;4\n5;6\n', 'a¦b¦c⏎1⏎2¦3¦4⏎5¦6'],
  ['a\n1,2,3\n', 'a⏎1¦2¦3'],
  ['note\none\ntwo words\n', 'note⏎one⏎two words'],
  ['T;E1;E2\r\n10:00;1;1;\r\n10:01;1;0;\r\n', 'T¦E1¦E2⏎10:00¦1¦1¦⏎10:01¦1¦0¦'],
  ['a,b\n,\n1,\n,2\n', 'a¦b⏎¦⏎1¦⏎¦2'],
  [',\n1,2\n', '¦⏎1¦2'],
  ['a,b\n1,2,,4\n', 'a¦b⏎1¦2¦¦4'],
  ['c;c;c;c_1\n1;2;3;4\n', 'c¦c¦c¦c_1⏎1¦2¦3¦4'],
  ['\ufeffa,b\n1,2\n', 'a¦b⏎1¦2'],
  ['\ufeff"a",b\n1,2\n', 'a¦b⏎1¦2'],
  ['\ufeff"a\nb",c\n1,2\n', 'a\nb¦c⏎1¦2'],
  ['\ufeff\na,b\n1,2\n', 'a¦b⏎1¦2'],
  ['a,b\n\ufeff1,2\n', 'a¦b⏎\ufeff1¦2'],
  ['\ufeffsep=;\r\nName;Betrag\r\nJürgen;1.234,50\r\nAnna;7,00\r\n', 'Name¦Betrag⏎Jürgen¦1.234,50⏎Anna¦7,00'],
  ['sep=,\na,b;c\n1,2;3\n', 'a¦b;c⏎1¦2;3'],
  ['sep=;\na,b;c\n1,2;3\n', 'a,b¦c⏎1,2¦3'],
  ['sep=^\na^b\n"1"^2,3\n', 'a¦b⏎1¦2,3'],
  ['SEP=\t\r\na\tb\r\n1\t2', 'a¦b⏎1¦2'],
  ['sep=;\n\na;"b\n"\n1;2\n', 'a¦b\n⏎1¦2'],
  ['sep=;', ''],
  ['a,b\nsep=;\n', 'a¦b⏎sep=;'],
  ['é,😀\n\\,\u0001\n"\u2028",x\n', 'é¦😀⏎\\¦\u0001⏎\u2028¦x'],
  [`a,b\n${'x'.repeat(70_000)},2\n3,4\n`, `a¦b⏎${'x'.repeat(70_000)}¦2⏎3¦4`],
]

/** What no reader takes, with where it is wrong. */
const refused: readonly (readonly [string, number | null, number | null])[] = [
  ['id,note\n1,"He said "hi" to me"\n2,ok\n', 2, 13],
  ['"a", "b", "c"\n"d", "e, f", "g"\n', 1, 6],
  ['a\tb\n"quoted" start\tx\n', 2, 9],
  ['a,b\n1,"x\n2,y\n', 2, 3],
  ['a,b\n"', 2, 1],
  ['a,b\n"x" ,2\n', 2, 4],
  ['a,b\n"x""y"z,2\n', 2, 7],
  ['a,b\n\n"é\ny"1,2\n', 4, 3],
  ['sep=;\na;b\n1; "x"\n', 3, 4],
  [`${mark}a,b\r\n1,\t"x"\r\n`, 2, 4],
  ['a,b;c "d" e\n1,2;3\n', null, null],
]

async function toolCells(text: string): Promise<Cells> {
  const json = await runTool(csvToJson, cutEvery(Buffer.from(text), 5), { header: false })
  return JSON.parse(Buffer.from(json).toString())
}

function comparedCells(text: string): Cells {
  const [records] = csvTables(Buffer.from(text), Buffer.from(text))
  const { rowStarts, rowCount } = records
  return Array.from({ length: rowCount }, (_row, row) => {
    const first = rowStarts[row] ?? 0
    const count = (rowStarts[row + 1] ?? 0) - first
    return Array.from({ length: count }, (_cell, cell) => cellText(records, first + cell))
  })
}

/** The header and a row, as text, and the number of rows. */
function locatedRow(text: string, row: number): readonly [string, string, number] {
  const bytes = Buffer.from(JSON.stringify(text))
  const locator = createRowLocator({ first: row, last: row })
  for (const chunk of cutEvery(bytes, 7)) locator.push(chunk)
  const found = locator.finish()
  const decoded = (span = { start: 0, end: 0 }): string =>
    JSON.parse(`"${bytes.subarray(span.start, span.end).toString()}"`)
  return [decoded(found?.header), decoded(found?.rows), found?.total ?? -1]
}

/** How CSV of these cells alone would be written. */
function written(cells: Cells): string {
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
  return `sep=,\n${cells.map((row) => `${row.map(quoted).join(',')}\n`).join('')}`
}

async function expectOneAnswer(text: string, cells: Cells): Promise<void> {
  const bytes = Buffer.from(text)
  const { separator } = findSeparator(bytes)
  const named = separator === oneColumn || separator === null ? '^' : String.fromCharCode(separator)
  expect(await toolCells(text)).toEqual(cells)
  expect(comparedCells(text)).toEqual(cells)
  const formatted = await runTool(csvFormat, [bytes])
  for (const other of [written(cells), Buffer.concat([Buffer.from('sep=,\n'), formatted])])
    expect(compare(bytes, Buffer.from(other), { as: 'csv' })).toMatchObject({ as: 'csv', equal: true })
  expect(locatedRow(text, 1)[2]).toBe(Math.max(0, cells.length - 1))
  for (let row = 1; row < cells.length; row += 1) {
    const [header, located] = locatedRow(text, row)
    expect(await toolCells(header)).toEqual([cells[0]])
    expect(await toolCells(`sep=${named}\n${located}`)).toEqual([cells[row]])
  }
}

describe('tools, comparisons and rows read CSV alike', () => {
  it.each(tables)('%j', async (text, cells) => {
    await expectOneAnswer(text, cells === '' ? [] : cells.split('⏎').map((row) => row.split('¦')))
  })

  it.each(refused)('%j is refused by all of them', async (text, line, column) => {
    const thrown = (run: () => unknown): unknown => {
      try {
        return run()
      } catch (error) {
        return error
      }
    }
    const place = line === null ? null : expect.objectContaining({ line, column })
    const fromTool = await toolCells(text).catch((error: unknown) => error)
    expect(fromTool).toBeInstanceOf(ToolInputError)
    expect(fromTool).toMatchObject({ position: place })
    const fromRows = thrown(() => locatedRow(text, 1))
    expect(fromRows).toBeInstanceOf(CsvError)
    const { code, position } = fromTool as ToolInputError
    expect(fromRows).toMatchObject({ code, position })
    const fromComparison = thrown(() => comparedCells(text))
    expect(fromComparison).toBeInstanceOf(CompareError)
    const found = line === null ? 'unclear' : `at line ${line}, column ${column}`
    expect(String(fromComparison)).toContain(found)
  })
})

const corpus = corpusFolder('csv-spectrum')

describe.skipIf(corpus === null)('csv-spectrum', () => {
  it('is read alike', async () => {
    const folder = join(corpus ?? '', 'csvs')
    const names = readdirSync(folder)
    expect(names).toHaveLength(12)
    for (const name of names) {
      const text = readFileSync(join(folder, name), 'utf8')
      await expectOneAnswer(text, await toolCells(text))
    }
  })
})
