import { createRequire } from 'node:module'
import { csv2json, json2csv } from 'json-2-csv'
import { parse as parseYaml } from 'yaml'
import { csvToJson } from '../csv/csv-to-json.js'
import { jsonToCsv } from '../csv/json-to-csv.js'
import { jsonFormat } from '../json/json-format.js'
import { spelledValue, tokensOf, writtenValue } from './json-reference.js'
import { cellsOf } from './random-documents.js'
import { runOnText } from './run-tool.js'

// It has no types.
const vkbeautify: { json(text: string, indent: number): string } = createRequire(import.meta.url)(
  'vkbeautify',
)

type Convert = (text: string) => string | Promise<string>

/** A kind of work, the documents it is done on, who does it, and whether all that counts is in the output. */
interface Subject {
  readonly name: string
  readonly documents: readonly string[]
  readonly contenders: Readonly<Record<string, Convert>>
  isKept(document: string, output: string): boolean
}

const formatters: Readonly<Record<string, Convert>> = {
  ours: (text) => runOnText(jsonFormat, text),
  'JSON.parse, stringify': (text) => JSON.stringify(JSON.parse(text), null, 2),
  yaml: (text) => JSON.stringify(parseYaml(text), null, 2),
  vkbeautify: (text) => vkbeautify.json(text, 2),
}

const toCsv: Readonly<Record<string, Convert>> = {
  ours: (text) => runOnText(jsonToCsv, text),
  'json-2-csv': (text) => `${json2csv(JSON.parse(text), { expandNestedObjects: false })}\n`,
}

const toJson: Readonly<Record<string, Convert>> = {
  ours: (text) => runOnText(csvToJson, text, { types: 'numbers' }),
  'json-2-csv': (text) => JSON.stringify(csv2json(text)),
}

function sameTokens(document: string, output: string): boolean {
  return tokensOf(document).join('\n') === tokensOf(output).join('\n')
}

/** All values of the rows are cells, in their order. */
function allInCells(document: string, output: string): boolean {
  const value = spelledValue(document)
  const rows = value.kind === 'array' ? value.items : []
  const [, ...lines] = cellsOf(output, ',')
  return rows.every((row, at) => {
    const values = row.kind === 'object' ? row.members.map(([, member]) => writtenValue(member, '')) : []
    const texts = values.map((text) => (text.startsWith('"') ? String(JSON.parse(text)) : text))
    return JSON.stringify(lines[at]) === JSON.stringify(texts)
  })
}

/** All cells are values, whether as strings or as numbers, spelled alike, in their order. */
function allInValues(document: string, output: string): boolean {
  const [header = [], ...lines] = cellsOf(document, ',')
  const value = spelledValue(output)
  const rows = value.kind === 'array' ? value.items : []
  return lines.every((line, at) => {
    const row = rows[at]
    const members = row?.kind === 'object' ? row.members : []
    const said = members.map(([key, member]) =>
      [key, writtenValue(member, '')].map((text) => (text.startsWith('"') ? String(JSON.parse(text)) : text)),
    )
    return JSON.stringify(said) === JSON.stringify(line.map((cell, column) => [header[column], cell]))
  })
}

const wrapped = (values: readonly string[]): readonly string[] => values.map((text) => `{"value": ${text}}`)
const rowsOf = (values: readonly string[]): readonly string[] =>
  values.map((text) => `[{"id": 1, "value": ${text}}]`)
const longIntegers = [
  '9007199254740993',
  '12345678901234567890',
  '-9223372036854775808',
  '18446744073709551615',
  '100000000000000000000001',
  '76561198000000001',
  '1158798113414676541',
  '3141592653589793238462643383',
]
const decimals = [
  '1.0',
  '1.50',
  '0.10',
  '1e400',
  '-0',
  '2E+3',
  '0.1000000000000000055511151231257827',
  '1e-7',
]

const formatting = { contenders: formatters, isKept: sameTokens }

/** Sixty documents of what programs write and people paste. */
export const subjects: readonly Subject[] = [
  { name: 'format: digits of long integers', documents: wrapped(longIntegers), ...formatting },
  { name: 'format: spelling of decimals', documents: wrapped(decimals), ...formatting },
  {
    name: 'format: repeated keys',
    documents: ['a', 'id', '', 'x-y', 'é', '0', 'item', 'Set-Cookie'].map(
      (key) => `{"${key}": 1, "b": [true], "${key}": 2}`,
    ),
    ...formatting,
  },
  {
    name: 'format: order of keys',
    documents: ['10', '2', '007', '1.5', 'z'].map((key) => `{"name": null, "${key}": {}, "1": [], "0": "x"}`),
    ...formatting,
  },
  {
    name: 'format: escapes',
    documents: wrapped([
      '"\\u00e9"',
      '"\\/path"',
      '"\\u0061"',
      '"\\u2028"',
      '"\\u007f"',
      '"\\uD83D\\uDE00"',
      '"\\u003cscript\\u003e"',
      '"\\ud83d"',
    ]),
    ...formatting,
  },
  {
    name: 'format: plain documents',
    documents: [
      '{"a": [1, 2, {"b": null}]}',
      '[]',
      '"text"',
      '{"name": "Ada", "tags": ["x", "y"], "ok": true}',
      '[[1], [2, 3]]',
    ],
    ...formatting,
  },
  {
    name: 'JSON to CSV: digits',
    documents: rowsOf([...longIntegers.slice(0, 4), ...decimals.slice(0, 2)]),
    contenders: toCsv,
    isKept: allInCells,
  },
  {
    name: 'JSON to CSV: repeated keys',
    documents: ['a', 'id', 'é'].map((key) => `[{"${key}": 1, "b": "x", "${key}": 2}]`),
    contenders: toCsv,
    isKept: allInCells,
  },
  {
    name: 'CSV to JSON: digits',
    documents: ['9007199254740993', '1.50', '007', '12345678901234567890', '1e400', '+1'].map(
      (cell) => `id,value\n1,${cell}\n`,
    ),
    contenders: toJson,
    isKept: allInValues,
  },
  {
    name: 'CSV to JSON: columns of one name',
    documents: ['id,x,x\n1,2,3\n', 'x,x\n"a","b"\n', 'n,n,n\n1,1,1\n'],
    contenders: toJson,
    isKept: allInValues,
  },
]

async function isKeptBy(subject: Subject, convert: Convert, document: string): Promise<boolean> {
  try {
    return subject.isKept(document, await convert(document))
  } catch {
    return false
  }
}

/** Of how many documents each contender keeps all: the table of docs/tools.md. */
export async function comparisonTable(): Promise<string> {
  const names = [...new Set(subjects.flatMap(({ contenders }) => Object.keys(contenders)))]
  const lines = [`| what is kept | ${names.join(' | ')} |`, `| --- |${names.map(() => ' --- |').join('')}`]
  for (const subject of subjects) {
    const cells: string[] = []
    for (const name of names) {
      const convert = subject.contenders[name]
      if (convert === undefined) {
        cells.push('')
        continue
      }
      let kept = 0
      for (const document of subject.documents) if (await isKeptBy(subject, convert, document)) kept += 1
      cells.push(`${kept} of ${subject.documents.length}`)
    }
    lines.push(`| ${subject.name} | ${cells.join(' | ')} |`)
  }
  return lines.map((line) => line.replace(/ {2,}/g, ' ')).join('\n')
}
