import { expect, it } from 'vitest'
import { cutAnywhere } from '#libs/testing/cut.js'
import { type Random, seededRandom } from '#libs/testing/random.js'
import { findTool } from '../registry.js'
import type { ToolRun } from '../tool.js'
import { type Spelled, sortedValue, spelledValue, tokensOf, writtenValue } from './json-reference.js'
import { cellsOf, randomArray, randomJson, randomTable, spelledTable } from './random-documents.js'
import { randomSql } from './random-sql.js'
import { canonicalXml, randomXmlElement, xmlEssence } from './random-xml.js'
import { randomYaml } from './random-yaml.js'
import { runLoaded } from './run-tool.js'

/** Runs tools on texts in random chunks. Each is loaded once: that takes longer than to run it on a short text. */
function createRuns() {
  const loaded = new Map<string, Promise<ToolRun>>()
  const load = (name: string): Promise<ToolRun> => {
    const tool = findTool(name)
    if (tool === null) throw new Error(`there is no tool ${name}`)
    return tool.load()
  }
  return async (
    name: string,
    text: string,
    random: Random,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<string> => {
    const loading = loaded.get(name) ?? load(name)
    loaded.set(name, loading)
    return Buffer.from(
      await runLoaded(await loading, cutAnywhere(Buffer.from(text), random), options),
    ).toString()
  }
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

/** The tokens of JSON, with strings spelled in one way. */
function spelledTokens(json: string): readonly string[] {
  return tokensOf(json).map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token))
}

function cellText(value: Spelled): string {
  if (value.kind !== 'leaf') return writtenValue(value, '')
  if (value.token === 'null') return ''
  return value.token.startsWith('"') ? Buffer.from(String(JSON.parse(value.token))).toString() : value.token
}

/** A place of a document, as a JSON Pointer, with its value: the last one of a repeated key. */
function randomPlace(value: Spelled, random: Random): readonly [pointer: string, value: Spelled] {
  const stops = value.kind === 'leaf' || random.below(4) === 0
  if (stops) return ['', value]
  if (value.kind === 'array') {
    const at = random.below(value.items.length)
    const item = value.items[at]
    if (item === undefined) return ['', value]
    const [pointer, found] = randomPlace(item, random)
    return [`/${at}${pointer}`, found]
  }
  const keys = value.members.map(([key]) => String(JSON.parse(key)))
  const key = keys[random.below(keys.length)]
  // The options of a run have no halves of pairs.
  if (key === undefined || !key.isWellFormed()) return ['', value]
  const member = value.members[keys.lastIndexOf(key)]?.[1] ?? value
  const [pointer, found] = randomPlace(member, random)
  return [`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`, found]
}

/** What each tool keeps, on many random documents in random chunks. */
export function toolLawsContract(rounds: number, isWanted: (law: string) => boolean = () => true): void {
  const made = createRuns()
  function holds(name: string, law: (random: Random) => Promise<void>): void {
    if (!isWanted(name)) return
    it(name, async () => {
      for (let seed = 1; seed <= rounds; seed += 1) await law(seededRandom(seed))
    }, 7_200_000)
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

  holds('json-to-xml and back keep digits, the text of strings, order and repeated keys', async (random) => {
    const text = randomJson(random)
    const options = { indent: random.pick(['none', '2', 'tab']), root: random.pick(['root', 'a']) }
    const xml = await made('json-to-xml', text, random, options)
    expect(spelledTokens(await made('xml-to-json', xml, random)), text).toEqual(spelledTokens(text))
    const small = await made('xml-minify', xml, random)
    expect(spelledTokens(await made('xml-to-json', small, random)), xml).toEqual(spelledTokens(text))
  })

  holds('xml-to-json and back keep elements, attributes, text, comments and their order', async (random) => {
    const xml = randomXmlElement(random, 4)
    const json = await made('xml-to-json', xml, random, { comments: true })
    const back = await made('json-to-xml', json, random, { indent: random.pick(['none', '2', 'tab']) })
    expect(canonicalXml(await made('xml-minify', back, random)), xml).toBe(
      canonicalXml(await made('xml-minify', xml, random)),
    )
  })

  holds('xml-format and xml-minify lead to one another, whatever they begin with', async (random) => {
    const xml = randomXmlElement(random, 4)
    const formatted = await made('xml-format', xml, random, { indent: random.pick(['1', '4', 'tab']) })
    const small = await made('xml-minify', xml, random)
    expect(await made('xml-minify', formatted, random), xml).toBe(small)
    expect(xmlEssence(small), xml).toBe(xmlEssence(xml))
  })

  holds('json-to-yaml and back keep digits, the text of strings, order and repeated keys', async (random) => {
    const text = randomJson(random)
    const options = {
      indent: random.pick(['2', '4']),
      duplicate_keys: 'keep',
      multiline: random.pick(['blocks', 'quotes']),
    }
    const yaml = await made('json-to-yaml', text, random, options)
    const back = await made('yaml-to-json', yaml, random, { duplicate_keys: 'keep' })
    expect(spelledTokens(back), text).toEqual(spelledTokens(text))
  })

  holds('yaml-format keeps what YAML says, and is stable', async (random) => {
    const yaml = randomYaml(random)
    const options = { indent: random.pick(['2', '4', '8']), indent_sequences: random.below(2) === 0 }
    const formatted = await made('yaml-format', yaml, random, options)
    expect(await made('yaml-to-json', formatted, random), yaml).toBe(await made('yaml-to-json', yaml, random))
    expect(formatted.match(/#.*/g)).toEqual(yaml.match(/#.*/g))
    expect(await made('yaml-format', formatted, random, options), yaml).toBe(formatted)
  })

  holds('json-repair and json-validate leave valid JSON alone', async (random) => {
    const text = randomJson(random)
    expect(await made('json-repair', text, random)).toBe(text)
    expect(JSON.parse(await made('json-validate', text, random))).toMatchObject({ valid: true, errors: [] })
  })

  holds(
    'json-schema-infer writes a schema by which json-schema-validate accepts the samples',
    async (random) => {
      const text = randomJson(random)
      const options = { enums: random.below(2) === 0, closed: random.below(2) === 0 }
      const schema = await made('json-schema-infer', text, random, options)
      const report = await made('json-schema-validate', text, random, { schema })
      expect(JSON.parse(report), `${text} ${schema}`).toMatchObject({ valid: true, errors: [] })
    },
  )

  holds('json-query keeps the tokens of what a pointer leads to', async (random) => {
    const text = randomJson(random)
    const [path, value] = randomPlace(spelledValue(text), random)
    const options = { path, indent: 'none', final_newline: false }
    expect(await made('json-query', text, random, options), `${text} ${path}`).toBe(writtenValue(value, ''))
  })

  holds('base64 and url encodings come back', async (random) => {
    const text = randomJson(random)
    const alphabet = random.pick(['standard', 'url'])
    expect(await made('base64-decode', await made('base64-encode', text, random, { alphabet }), random)).toBe(
      text,
    )
    const style = random.pick(['component', 'form'])
    const encoded = await made('url-encode', text, random, { style })
    expect(await made('url-decode', encoded, random, { plus_is_space: style === 'form' })).toBe(text)
  })

  holds('sql-format keeps every token, and is stable', async (random) => {
    const sql = randomSql(random)
    const options = {
      dialect: random.pick(['postgresql', 'mysql', 'sqlite']),
      keyword_case: random.pick(['preserve', 'upper']),
    }
    const formatted = await made('sql-format', sql, random, options)
    const tokens = (text: string): string => text.replace(/\s+/g, '').toUpperCase()
    expect(tokens(formatted)).toBe(tokens(sql))
    expect(await made('sql-format', formatted, random, options), sql).toBe(formatted)
  })
}
