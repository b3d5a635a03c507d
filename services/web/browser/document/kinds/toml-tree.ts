import { type AST, parseTOML } from 'toml-eslint-parser'
import { depthMax } from '#engine/json-bytes/json-scanner.js'

/** A table being assembled from keys anywhere in the text. */
type Table = Map<string, Value>
type Value = Table | Value[] | AST.TOMLValue

function isTable(value: Value | undefined): value is Table {
  return value instanceof Map
}

function keysOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))
}

/** The table at this key, created on demand; of an array of tables the last one. */
function tableAt(table: Table, key: string): Table {
  const value = table.get(key)
  const last = Array.isArray(value) ? value.at(-1) : value
  if (isTable(last)) return last
  const made: Table = new Map()
  table.set(key, made)
  return made
}

function contentOf(node: AST.TOMLContentNode): Value {
  if (node.type === 'TOMLArray') return node.elements.map(contentOf)
  if (node.type !== 'TOMLInlineTable') return node
  const table: Table = new Map()
  for (const pair of node.body) put(table, pair)
  return table
}

function put(table: Table, { key, value }: AST.TOMLKeyValue): void {
  const keys = keysOf(key)
  const inner = keys.slice(0, -1).reduce(tableAt, table)
  inner.set(keys.at(-1) ?? '', contentOf(value))
}

/** The table that a header opens. Its keys are resolved, with an index for each array of tables. */
function openTable(root: Table, node: AST.TOMLTable): Table {
  const keys = keysOf(node.key)
  const outer = keys.slice(0, -1).reduce(tableAt, root)
  const last = keys.at(-1) ?? ''
  if (node.kind === 'standard') return tableAt(outer, last)
  const made: Table = new Map()
  const items = outer.get(last)
  if (Array.isArray(items)) items.push(made)
  else outer.set(last, [made])
  return made
}

/** A value as JSON, with the source of numbers, which may be no JSON; all else that JSON lacks is a string. */
function jsonOf(value: Value, text: string, depth = 1): string {
  if (depth > depthMax && (isTable(value) || Array.isArray(value))) throw new RangeError('nested too deep')
  if (isTable(value)) {
    const members = [...value].map(
      ([key, member]) => `${JSON.stringify(key)}:${jsonOf(member, text, depth + 1)}`,
    )
    return `{${members.join()}}`
  }
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item, text, depth + 1)).join()}]`
  if (value.kind === 'string') return JSON.stringify(value.value)
  const source = text.slice(...value.range)
  const isLiteral = value.kind === 'integer' || value.kind === 'boolean' || /^[-+]?\d+[.e]/i.test(source)
  return isLiteral ? source : JSON.stringify(source)
}

/** TOML as JSON, with numbers and times as spelled; `null` if it is invalid, or nested deeper than JSON may be. */
export function tomlTree(text: string): Uint8Array | null {
  try {
    const [top] = parseTOML(text, { tomlVersion: '1.0' }).body
    const root: Table = new Map()
    for (const node of top.body) {
      if (node.type === 'TOMLKeyValue') put(root, node)
      else {
        const table = openTable(root, node)
        for (const pair of node.body) put(table, pair)
      }
    }
    return new TextEncoder().encode(jsonOf(root, text))
  } catch {
    return null
  }
}
