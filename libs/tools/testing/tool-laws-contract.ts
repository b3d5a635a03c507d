import { expect, it } from 'vitest'
import { cutAnywhere } from '../../testing/cut.js'
import { type Random, seededRandom } from '../../testing/random.js'
import { findTool } from '../registry.js'
import type { ToolDescription } from '../tool.js'
import { type Spelled, sortedValue, spelledValue, tokensOf, writtenValue } from './json-reference.js'
import { cellsOf, randomArray, randomJson, randomTable, spelledTable } from './random-documents.js'
import { runTool } from './run-tool.js'

function toolNamed(name: string): ToolDescription {
  const tool = findTool(name)
  if (tool === null) throw new Error(`there is no tool ${name}`)
  return tool
}

async function made(
  name: string,
  text: string,
  random: Random,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const chunks = cutAnywhere(Buffer.from(text), random)
  return Buffer.from(await runTool(toolNamed(name), chunks, options)).toString()
}

const separators = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const

/** The values of rows by their columns: of each name in a row, the first with the first. */
function expectedTable(value: Spelled): readonly (readonly string[])[] {
  if (value.kind !== 'array') throw new Error('not an array')
  const columns: string[] = []
  const rows = value.items.map((item) => {
    if (item.kind !== 'object') throw new Error('not an object')
    const counts = new Map<string, number>()
    return item.members.map(([key, member]) => {
      const name = Buffer.from(String(JSON.parse(key))).toString()
      const count = counts.get(key.length === 0 ? '' : String(JSON.parse(key))) ?? 0
      counts.set(String(JSON.parse(key)), count + 1)
      const column = JSON.stringify([String(JSON.parse(key)), count, name])
      if (!columns.includes(column)) columns.push(column)
      return [column, cellText(member)] as const
    })
  })
  if (columns.length === 0) return value.items.map(() => [])
  const header = columns.map((column) => String((JSON.parse(column) as unknown[])[2]))
  return [
    header,
    ...rows.map((row) => columns.map((column) => row.find(([name]) => name === column)?.[1] ?? '')),
  ]
}

function cellText(value: Spelled): string {
  if (value.kind !== 'leaf') return writtenValue(value, '')
  if (value.token === 'null') return ''
  return value.token.startsWith('"') ? Buffer.from(String(JSON.parse(value.token))).toString() : value.token
}

/** What each tool keeps, on so many random documents in random chunks. */
export function toolLawsContract(rounds: number): void {
  function holds(name: string, law: (random: Random) => Promise<void>): void {
    it(name, async () => {
      for (let seed = 1; seed <= rounds; seed += 1) await law(seededRandom(seed))
    }, 600_000)
  }

  holds('json-minify keeps every token', async (random) => {
    const text = randomJson(random)
    expect(await made('json-minify', text, random)).toBe(tokensOf(text).join(''))
  })

  holds('json-format keeps every token, and writes as JSON.stringify does', async (random) => {
    const text = randomJson(random)
    const indent = random.pick(['1', '2', '4', '8', 'tab'])
    const level = indent === 'tab' ? '\t' : ' '.repeat(Number(indent))
    expect(await made('json-format', text, random, { indent })).toBe(
      `${writtenValue(spelledValue(text), level)}\n`,
    )
  })

  holds('json-sort-keys keeps every token, and members of one key in their order', async (random) => {
    const text = randomJson(random)
    const options = { indent: 'none', final_newline: false }
    expect(await made('json-sort-keys', text, random, options)).toBe(
      writtenValue(sortedValue(spelledValue(text)), ''),
    )
  })

  holds('json-to-ndjson and back keep every token', async (random) => {
    const text = randomArray(random)
    const lines = await made('json-to-ndjson', text, random)
    const value = spelledValue(text)
    const items = value.kind === 'array' ? value.items : []
    expect(lines).toBe(items.map((item) => `${writtenValue(item, '')}\n`).join(''))
    const back = await made('ndjson-to-json', lines, random, { final_newline: false })
    expect(back).toBe(tokensOf(text).join(''))
  })

  holds('json-to-csv keeps digits, the text of strings and repeated keys', async (random) => {
    const count = 1 + random.below(4)
    const rows = Array.from({ length: count }, () => {
      const text = randomJson(random, 2)
      return text.trim().startsWith('{') ? text : `{"v":${text}}`
    })
    const text = `[${rows.join(',')}]`
    const separator = random.pick(Object.keys(separators) as (keyof typeof separators)[])
    const quotes = random.pick(['minimal', 'all'])
    const csv = await made('json-to-csv', text, random, { separator, quotes })
    const expected = expectedTable(spelledValue(text))
    const withoutColumns = expected.every((row) => row.length === 0)
    expect(cellsOf(csv, separators[separator])).toEqual(withoutColumns ? rows.map(() => ['']) : expected)
  })

  holds('csv-to-json keeps what each cell says', async (random) => {
    const table = randomTable(random)
    const separator = random.pick(Object.keys(separators) as (keyof typeof separators)[])
    const csv = spelledTable(random, table, separators[separator])
    const json = await made('csv-to-json', csv, random, { separator, header: false })
    expect(JSON.parse(json)).toEqual(table)
  })

  holds('csv-format keeps what each cell says', async (random) => {
    const table = randomTable(random)
    const [from, separator] = [0, 1].map(() => random.pick(Object.keys(separators))) as [
      keyof typeof separators,
      keyof typeof separators,
    ]
    const csv = spelledTable(random, table, separators[from])
    const options = {
      from,
      separator,
      quotes: random.pick(['minimal', 'all']),
      line_end: random.pick(['lf', 'crlf']),
    }
    expect(cellsOf(await made('csv-format', csv, random, options), separators[separator])).toEqual(table)
  })
}
